type Tone = 'idle' | 'running' | 'waiting' | 'failed';

const tones: Record<Tone, string> = {
  idle: 'bg-line-strong',
  running: 'bg-accent animate-breathe',
  waiting: 'bg-warn',
  failed: 'bg-danger',
};

export const StatusDot = ({ tone }: { readonly tone: Tone }) => <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full ${tones[tone]}`} />;
