/** What is asked of people, or awaited from outside, in place of running something. */
import type { Form, Question } from './events.ts';

/**
 * `approval`: what is to be approved, in words; who may is said by the action's approver. `signal`: whatever an application, an
 * operator or the owner sends under this name.
 */
export type Inquiry =
  | { readonly kind: 'question'; readonly questions: readonly Question[] }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'approval'; readonly prompt: string }
  | { readonly kind: 'signal'; readonly signalName: string };
