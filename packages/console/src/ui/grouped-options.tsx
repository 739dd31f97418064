export type Choice = { readonly value: string; readonly label: string };
export type ChoiceGroup = { readonly label: string; readonly choices: readonly Choice[] };

const Option = ({ value, label }: Choice) => <option value={value}>{label}</option>;

type GroupedOptionsProps = {
  readonly value: string;
  readonly first: readonly Choice[];
  readonly groups: readonly ChoiceGroup[];
  readonly nameOf?: (value: string) => string;
};

/** Options of a list, some of them in groups; an empty group is left out. What is chosen but not among them is shown all the same. */
export const GroupedOptions = ({ value, first, groups, nameOf = (name) => name }: GroupedOptionsProps) => {
  const known = [...first, ...groups.flatMap(({ choices }) => choices)];
  return (
    <>
      {first.map((choice) => (
        <Option key={choice.value} {...choice} />
      ))}
      {known.some((choice) => choice.value === value) ? null : <Option value={value} label={nameOf(value)} />}
      {groups
        .filter(({ choices }) => choices.length > 0)
        .map(({ label, choices }) => (
          <optgroup key={label} label={label}>
            {choices.map((choice) => (
              <Option key={choice.value} {...choice} />
            ))}
          </optgroup>
        ))}
    </>
  );
};
