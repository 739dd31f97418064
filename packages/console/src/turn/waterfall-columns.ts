/** Names, time, numbers: one below the other where there is no room beside each other. */
export const waterfallColumns = 'grid gap-x-3 grid-cols-[minmax(0,1fr)_auto] @2xl:grid-cols-[15rem_minmax(0,1fr)] @4xl:grid-cols-[16rem_minmax(0,1fr)_12rem]';
