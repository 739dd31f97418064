import type { FocusEvent, KeyboardEvent } from 'react';
import { useText } from '../i18n/use-text.ts';
import type { DrawnNode } from './drawn-graph.ts';
import { nodeSize, type PlacedNode } from './graph-layout.ts';
import { iconOf, isPale, lookOf } from './node-looks.ts';
import { statusWord, typeWord } from './step-words.ts';

/** How a node's step stands in a run. */
export type ShownStep = {
  readonly status: string;
  /** Beside its status: how far it is, say. */
  readonly note?: string;
  /** Which of the ways out of the node were taken, in the order of the spec. */
  readonly taken?: readonly number[];
};

type GraphNodeProps = {
  readonly node: DrawnNode;
  readonly place: PlacedNode;
  /** Of a run. */
  readonly step: ShownStep | undefined;
  readonly selected: boolean;
  readonly onSelect: (() => void) | undefined;
  /** It is reached by the keyboard. */
  readonly onReached: () => void;
};

const cutTo = (text: string, most: number): string => ([...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text);

export const GraphNode = ({ node, place, step, selected, onSelect, onReached }: GraphNodeProps) => {
  const t = useText();
  const type = typeWord(node.type, t);
  const said = step && [statusWord(step.status, t), step.note].filter(Boolean).join(' ');
  const Icon = iconOf(node.type);
  const look = lookOf(step?.status);
  const words = [node.name, type, said].filter(Boolean);
  return (
    <g
      data-node={node.key}
      data-status={step?.status}
      transform={`translate(${place.x} ${place.y})`}
      opacity={isPale(step?.status) ? 0.5 : 1}
      {...(onSelect
        ? {
            role: 'button',
            tabIndex: 0,
            'aria-label': words.join(', '),
            'aria-pressed': selected,
            onClick: onSelect,
            onFocus: ({ currentTarget }: FocusEvent) => {
              if (currentTarget.matches(':focus-visible')) onReached();
            },
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              onSelect();
            },
          }
        : {})}
      className={onSelect ? 'cursor-pointer outline-none [&:focus-visible>rect]:stroke-accent [&:focus-visible>rect]:stroke-3' : ''}
    >
      <title>{words.join(' · ')}</title>
      <rect
        width={nodeSize.width}
        height={nodeSize.height}
        rx={14}
        strokeWidth={selected ? 2.5 : look ? 2 : 1}
        className={`${selected ? 'fill-accent-soft' : 'fill-surface'} ${look?.stroke ?? (selected ? 'stroke-accent' : 'stroke-line-strong')}`}
      />
      <Icon aria-hidden x={14} y={17} width={18} height={18} className="text-accent" />
      <text x={42} y={23} className="fill-ink text-[13px] font-medium">
        {cutTo(node.name, 18)}
      </text>
      <text x={42} y={39} className={`text-[11px] ${look?.fill ?? 'fill-ink-faint'}`}>
        {cutTo(said ?? type, 24)}
      </text>
    </g>
  );
};
