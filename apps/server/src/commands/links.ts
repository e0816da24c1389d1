import { askToken } from '../command-line/ask-token.ts';
import { CommandError } from '../command-line/command-error.ts';
import { runLinksCommand } from '../command-line/run-links-command.ts';

/** `npm run -s links -- add URL` and `npx linkoteca add URL`: a person's own links, on any installation, over its plain API. */
try {
  await runLinksCommand(process.argv.slice(2), {
    environment: process.env,
    print: (line) => process.stdout.write(`${line}\n`),
    askToken,
    streams: {
      input: process.stdin,
      output: process.stdout,
      report: (line) => process.stderr.write(`${line}\n`),
    },
  });
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
