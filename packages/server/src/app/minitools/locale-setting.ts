/** The name of the setting that says the language of mini-tools, where an admin chose one: `en-US` or `zh-CN`. */
export const localeSetting = 'minitools.locale';
