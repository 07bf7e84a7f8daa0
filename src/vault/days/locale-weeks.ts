// How the languages of Moment count weeks, by the name that the setting "Override
// locale" has for them. Used by day-settings.ts.
import { ENGLISH_WEEK, type WeekRule } from "./calendar.ts";

/** By the first day of a week (Sunday is 0) and the day of January that is always in the first week; English for all others. */
const RULES: readonly (readonly [firstWeekday: number, inFirstWeek: number, languages: string])[] = [
  [
    1,
    4,
    "af ar-ma ar-tn bm br ca cs cy da de-at de-ch de el en-gb en-ie en-nz en-sg es-do es et fi fil fo fr-ch fr fy ga gd gl hu is it-ch it km ku-kmr lb lt lv mi mt my nb nl-be nl nn oc-lnc pl pt ru sd se sk sq ss sv tet tl-ph tlh tzl uk ur vi x-pseudo yo zh-cn",
  ],
  [1, 1, "az be bg bs cv eo eu hr hy-am jv ka kk ky me mk ms-my ms ro sl sr-cyrl sr sw tg tk tr ug-cn uz-latn uz"],
  [6, 1, "ar-ly ar fa ku ps tzm-latn tzm"],
  [0, 3, "ar-dz en-au es-mx"],
  [0, 4, "gom-deva gom-latn"],
];

/** A language that Moment does not know counts as English does. */
export function weekRuleOfLocale(name: string): WeekRule {
  const wanted = name.toLowerCase().replaceAll("_", "-");
  // Moment takes de for de-de.
  for (const each of [wanted, wanted.replace(/-[^-]*$/, "")]) {
    if (each === "en" || OWN.has(each)) break;
    const rule = RULES.find(([, , languages]) => languages.split(" ").includes(each));
    if (rule !== undefined) return { firstWeekday: rule[0], inFirstWeek: rule[1] };
  }
  return ENGLISH_WEEK;
}

/** Languages of their own that count as English does, though what their names begin with does not. */
const OWN: ReadonlySet<string> = new Set(["ar-ps", "ar-sa", "es-us", "fr-ca", "pt-br"]);
