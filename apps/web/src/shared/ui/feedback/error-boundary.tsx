import type { ErrorInfo, ReactNode } from 'react';
import { Component } from 'react';
import { log } from '../../lib/log.ts';
import { ErrorScreen } from './error-screen.tsx';

interface ErrorBoundaryProps {
  readonly extent?: 'page' | 'part';
  readonly children: ReactNode;
}

/** Catches what breaks while rendering below it and offers to try again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    log.error('a part of the page failed to render', error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorScreen extent={this.props.extent ?? 'page'} onRetry={() => this.setState({ failed: false })} />
    );
  }
}
