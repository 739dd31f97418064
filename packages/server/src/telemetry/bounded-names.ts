/** Keeps the values of a label few: the first that come keep their names, all others share one. */
export const createBoundedNames = (most: number): ((name: string) => string) => {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return 'other';
    known.add(name);
    return name;
  };
};
