/** What the model of the pictures answers, by what it is told: call by call, until one ends without tools. */

export type Answer = {
  readonly say?: string;
  readonly think?: string;
  /** Tools, with their arguments. */
  readonly calls?: readonly (readonly [name: string, input: Record<string, unknown>])[];
  /** How long it takes. */
  readonly ms?: number;
  /** Tokens: prompt, answer, and what of the prompt came from the cache. */
  readonly used?: readonly [input: number, output: number, cached?: number];
  /** The first attempt, or each, is refused with this status. */
  readonly refused?: { readonly status: number; readonly message: string; readonly always?: true };
  /** Never comes to an end. */
  readonly endless?: true;
};

const checkoutReport = `## Why checkout is slow

Payment confirmation waits for the **stock service**, and since yesterday's release that one asks for each article by itself.

| step | before | now |
|---|--:|--:|
| basket | 80 ms | 85 ms |
| stock | 120 ms | **1,940 ms** |
| payment | 310 ms | 305 ms |

1. Release \`2026.48.1\` replaced one query by a loop.
2. A basket of twelve books now asks twelve times.

\`\`\`sql
select article, sum(pieces) from stock
where article = any($1) group by article;
\`\`\`

I suggest to roll back \`stock\` now, and to mend the query tomorrow.`;

const letter = `# Autumn at Harbour Books

The evenings are longer, the kettle is on, and the shelves are full again. Here is what we are looking forward to.

**New on the shelves.** Three debut novels from the coast, a history of lighthouses with 140 photographs, and a cookbook about pears that smells of butter.

**Readings.** Every Thursday at seven, between the maps and the poems. Bring a chair if you are late.

`;

export const answers: Readonly<Record<string, readonly Answer[]>> = {
  'Checkout takes three seconds since yesterday. Why?': [
    {
      think: 'First the figures and what was released, then the log of whatever stands out.',
      say: 'I look at the response times and at what was released.',
      calls: [
        ['response_times', { page: 'checkout', hours: 24 }],
        ['list_releases', { days: 2 }],
      ],
      ms: 1_100,
      used: [4_180, 96],
    },
    {
      say: 'The stock service stands out. I read its log.',
      calls: [['read_log', { service: 'stock', lines: 200 }]],
      ms: 700,
      used: [6_940, 58, 4_096],
      refused: { status: 503, message: 'Overloaded, try again.' },
    },
    { calls: [['calculator', { expression: '12 * 161' }]], ms: 400, used: [13_220, 40, 6_912] },
    { say: checkoutReport, ms: 1_800, used: [13_410, 412, 13_184] },
  ],
  'Which customers noticed?': [
    { calls: [['response_times', { page: 'checkout', hours: 6 }]], ms: 500, used: [14_020, 44, 13_184] },
    {
      say: '214 people left at the payment step since noon, about **three times as many** as on other Mondays. 31 of them came back.',
      ms: 700,
      used: [14_360, 52, 13_900],
    },
  ],
  'Write a note for the team.': [
    {
      say: '> **Checkout was slow from Sunday 18:00.** The release of the stock service asked the database once per article. It is rolled back; the query is mended in `2026.48.2`.\n\nShall I send it?',
      ms: 900,
      used: [14_700, 71, 14_336],
    },
  ],
  'Make it shorter, and friendly.': [{ say: '> Checkout was slow since Sunday evening; it is quick again. Sorry!', ms: 500, used: [14_610, 24, 14_336] }],
  'Order 4711 arrived broken. The customer wants the money back.': [
    { say: 'I look the order up.', calls: [['find_order', { order: '4711' }]], ms: 500, used: [2_310, 31] },
    {
      say: 'The atlas was paid by card and arrived on Saturday; the photograph shows a torn cover. A refund within **14 days** is what we promise.\n\n- Order **4711**, *Atlas of Tides*\n- 48.90 €, paid by card',
      calls: [['refund', { order: '4711', amount: '48.90 EUR', reason: 'arrived broken', notify: true }]],
      ms: 900,
      used: [2_920, 118, 2_304],
    },
  ],
  'Plan the autumn sale: which shelves, how much off?': [
    {
      say: 'Before I plan, two things only you know.',
      calls: [
        [
          'ask_user',
          {
            questions: [
              {
                question: 'How long shall the sale last?',
                header: 'length',
                options: [
                  { label: 'One week', description: 'Busy, and soon over' },
                  { label: 'Two weeks', description: 'As last year' },
                ],
              },
              {
                question: 'Which shelves are left out?',
                header: 'without',
                multi_select: true,
                options: [{ label: 'Maps' }, { label: 'Poems' }, { label: 'New' }],
              },
            ],
          },
        ],
      ],
      ms: 600,
      used: [1_840, 120],
    },
  ],
  'The numbers of last week, please.': [{ refused: { status: 400, message: 'Your credit balance is too low.', always: true }, ms: 300 }],
  'Write the autumn letter, in our voice.': [{ say: letter, endless: true, ms: 1_500 }],
  'What do readers say about the lighthouse book?': [
    {
      say: 'Two people look at this at once.',
      calls: [
        ['delegate', { member: 'finder', message: 'Collect what readers wrote about the lighthouse book.' }],
        ['delegate', { member: 'checker', message: 'Which of their claims about the pictures hold?' }],
      ],
      ms: 600,
      used: [2_140, 88],
    },
    { say: 'Readers love the photographs and find the index too short. *Sources: 38 reviews, November.*', ms: 800, used: [3_020, 61, 2_048] },
  ],
  'Collect what readers wrote about the lighthouse book.': [
    { say: '38 reviews, 4.6 of 5. Praise: photographs, paper. Complaint: the index.', ms: 1_400, used: [5_320, 74] },
  ],
  'Which of their claims about the pictures hold?': [
    { say: 'All 140 photographs are in print quality; three captions are wrong.', ms: 2_100, used: [4_110, 49] },
  ],
  'Is the Atlas of Tides in stock?': [{ say: 'Yes: 12 copies on shelf 7.', ms: 400, used: [980, 18] }],
};

/** On other days: what was asked of whom, and under which title. */
export const earlier: readonly (readonly [agent: 'support' | 'analyst' | 'engineer' | 'writer', title: string])[] = [
  ['support', 'Where is order 4655?'],
  ['analyst', 'What sold in spring, by shelf'],
  ['writer', 'A reply to the review of Tuesday'],
  ['engineer', 'Certificates that end this month'],
  ['support', 'Change the address of order 4671'],
  ['writer', 'Window texts for the map week'],
  ['analyst', 'Who buys maps a second time?'],
  ['engineer', 'Search finds no umlauts'],
  ['support', 'Refund for order 4688'],
  ['analyst', 'Returns by publisher'],
  ['writer', 'Translate the opening hours'],
  ['engineer', 'Move the pictures to the new store'],
  ['support', 'A voucher that was used twice'],
  ['analyst', 'Forecast for December'],
  ['writer', 'Interview with the cartographer'],
  ['engineer', 'Nightly backup took four hours'],
  ['support', 'Two parcels for one order'],
  ['writer', 'Names for the reading group'],
  ['analyst', 'Price changes and their effect'],
  ['engineer', 'Upgrade the till software'],
  ['support', 'Gift wrapping for order 4702'],
  ['analyst', 'Which newsletter sold most?'],
];
