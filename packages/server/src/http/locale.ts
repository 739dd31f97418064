/** In which language texts of mini-tools are wanted. */
import type { FastifyRequest } from 'fastify';
import type { MinitoolLocale } from '../app/minitools/minitool-services.ts';

const quality = (part: string): { readonly language: string; readonly weight: number } => {
  const [language = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
  const q = parameters.find((each) => each.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { language, weight: Number.isFinite(weight) ? weight : 0 };
};

/** The one of the languages that there are which `Accept-Language` prefers; English where it names none of them. */
export const localeOf = ({ headers }: Pick<FastifyRequest, 'headers'>): MinitoolLocale => {
  const wanted = (headers['accept-language'] ?? '').slice(0, 1_000).split(',').map(quality);
  const best = wanted.filter(({ language, weight }) => weight > 0 && /^(?:zh|en)(?:-|$)/.test(language)).toSorted((a, b) => b.weight - a.weight)[0];
  return best?.language.startsWith('zh') ? 'zh-CN' : 'en-US';
};
