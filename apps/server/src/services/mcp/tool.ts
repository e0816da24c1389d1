import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Library } from '../../library/library.ts';
import type { Scope } from './protected-resource.ts';
import { presentAnswer, presentRefusedCall } from './tool-answer.ts';
import { describeFailure } from './tool-refusal.ts';

/** What a tool runs on. */
export type ToolContext = {
  readonly library: Library;
  /** The same library for one call that writes: what it changes there the person undoes as one. */
  readonly beginAct: () => Library;
  readonly siteUrl: string;
  /** Told of a call that failed by a fault of ours. */
  readonly onFailure: (error: unknown) => void;
};

type ToolDefinition<Input extends z.ZodObject> = {
  readonly name: string;
  /** For people, who see it where they allow a call. */
  readonly title: string;
  /** For assistants. */
  readonly description: string;
  readonly input: Input;
  /** What a call does to the person's library, or to who sees it. */
  readonly effect: 'reads' | 'adds' | 'changes' | 'deletes' | 'shares';
  readonly run: (context: ToolContext, input: z.output<Input>) => Promise<object>;
};

/** A tool that can be offered to a program. */
export type Tool = {
  readonly name: string;
  /** What a token needs for it. */
  readonly scope: Scope;
  register(server: McpServer, context: ToolContext): void;
};

type Effect = ToolDefinition<z.ZodObject>['effect'];

const ANNOTATIONS: Readonly<Record<Effect, ToolAnnotations>> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  // Others see it, and get mail: nothing takes that back.
  shares: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

const SCOPE_OF: Readonly<Record<Effect, Scope>> = {
  reads: 'links:read',
  adds: 'links:write',
  changes: 'links:write',
  deletes: 'links:write',
  shares: 'share',
};

/** A tool from its description, arguments and what it does. Arguments that do not fit never reach `run`. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, input, effect, run } = definition;
  return {
    name,
    scope: SCOPE_OF[effect],
    register(server, context) {
      const config = {
        title,
        description,
        inputSchema: input as z.ZodObject,
        annotations: { title, openWorldHint: false, ...ANNOTATIONS[effect] },
      };
      server.registerTool(name, config, async (args) => {
        const library = effect === 'reads' ? context.library : context.beginAct();
        try {
          return presentAnswer(await run({ ...context, library }, args as z.output<Input>));
        } catch (error) {
          const told = describeFailure(error);
          if (told === undefined) context.onFailure(error);
          return presentRefusedCall(told ?? 'The server could not do this now. Try again later.');
        }
      });
    },
  };
}
