/** What browsers are told: of pages strictly what they need, of API answers nothing at all. */
import helmet from '@fastify/helmet';
import type { Api } from '../api.ts';

export const registerPageHeaders = (pages: Api): void => {
  pages.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // Components set positions and sizes by style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Served on plain http too, on loopback and behind proxies: whoever ends TLS sets HSTS.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  });
};

/**
 * Of the embedded chat: no styles in attributes, and in frames of our own origin and of those that are named. Its address may
 * hold a token, so that nothing keeps it or tells it on.
 */
export const registerChatHeaders = (pages: Api, embedOrigins: readonly string[]): void => {
  pages.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'self'", ...embedOrigins],
      },
    },
    strictTransportSecurity: false,
    // It knows one origin only, and browsers that know the policy above do not ask for it.
    xFrameOptions: embedOrigins.length === 0 ? { action: 'sameorigin' } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
};

/** Answers of the API are data of one caller: not to be sniffed, kept, framed or run. */
export const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
