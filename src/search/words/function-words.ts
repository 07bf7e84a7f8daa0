// The function words of the most spoken languages: articles, pronouns, prepositions,
// question words and forms of "be" and "have". They join the words that one looks for.
// Used by word-forms.ts. Data, in the spelling of each language.
//
// A word that means something else in another language of the list is left out, since
// the language of a query is not known: "die", "war", "van", "era", "os", "todo", "men",
// "pro", "dan", "ai". Scripts without spaces are indexed in pairs of characters, so theirs
// are pairs.

/** By language (ISO 639-1), separated by spaces. */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
    me my no not of on or our she should so than that the their them then there these they this those to was we were
    what when where which who will with would you your s t d ll re ve m`,
  de: `aber als am auch auf aus bei bis das dass dem den der des du ein eine einem einen einer eines er es ich
    ihr im ist kein keine mich mir nach nicht noch nur oder sich sie sind über um und uns vom von vor wenn werden wie wir
    wird wurde wurden zu zum zur welche welcher welches welchen wann warum wo`,
  fr: `au aux avec ce ces cette dans de du elle en est et eux il ils je la le les leur lui ma mais même mes moi mon ne nos
    notre nous ou par pas qu que qui sa se ses si sur ta te tes toi tu un une vos votre vous c j l n y
    quel quelle quels quelles quand pourquoi`,
  es: `al como con cual cuál cuáles cuándo cuando del desde donde dónde el ella ellos entre esta este esto ha hay las lo los
    mi mis muy nada ni nos o para pero por porque qué quién sobre su sus también tiene una uno unos yo`,
  it: `alla alle che ci da dal dalla degli dei del della delle di e gli ho il io loro ma nel nella non per più
    quella quello questa questo quale quali quando sono sua sul sulla suo tra`,
  nl: `aan dat deze dit een geen heb heeft het hij hun ik je kan maar mijn naar niet nog om ook op te uit voor
    waar wat wel welke wanneer waarom wij zich zij zijn`,
  pt: `ao aos com as da das do ela ele em essa esse eu foi isso mais mas meu minha muito na não nas no nos num ou
    pela pelo qual quais quando quem são sem seu sua tem um uma você`,
  ca: `amb els una quin quina quins quines quan aquest aquesta seva seu però és són`,
  ro: `și la cu ce este sunt care pentru unde când cum din pe fost sau într lui această acest`,
  pl: `jest nie się na od po ze jak jaki jaka jakie który która które którzy czy gdzie kiedy dlaczego oraz przez dla czym
    kto tak był była było były są tym tego jego jej ich`,
  cs: `je se jak jaký jaká jaké kdy kde proč který která které kteří jsou byl byla bylo byli ale jako podle nebo při jeho její`,
  sk: `je sa ako aký aká aké kedy kde prečo ktorý ktorá ktoré ktorí sú bol bola bolo boli alebo pri jeho jej`,
  hr: `je su koji koja koje što kada gdje zašto kako nije bio bila bilo iz ili kao njegov`,
  hu: `az egy és hogy mit milyen melyik hol mikor miért volt nem meg ezt azt voltak vagy mennyi hány`,
  sv: `och att det som ett är inte av med vad hur vilken vilket vilka när varför från hade blev eller vem`,
  da: `og ikke til af hvad hvor hvordan hvilken hvilket hvilke hvem hvornår hvorfor fra blev eller`,
  no: `og ikke til av hva hvor hvordan hvilken hvilket hvilke hvem hvorfor fra ble eller når`,
  fi: `ja ei mikä mitä missä milloin kuka miksi kuinka oli ovat ollut että kun mutta joka jonka jotka mitkä`,
  tr: `ve bir bu için ile ne mi mı mu mü nasıl neden hangi olan olarak gibi daha kaç kim nerede çok nedir kimdir hangisi`,
  id: `yang ini itu di dengan untuk apa siapa kapan adalah dari pada ke tidak oleh mana bagaimana mengapa dalam akan atau`,
  vi: `của là và có không những một các được trong cho với nào gì bao nhiêu khi tại như đã này đó về`,
  sw: `na ya wa kwa ni katika nini nani gani wapi lini hii hiyo kwamba`,
  tl: `ang ng mga sa ay ano sino kailan saan bakit paano`,
  ru: `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня о из ему
    когда кто для где какой какая какие какое каком какую был была были есть это почему сколько чем при под или их который
    которая которые которого которой чего чему`,
  uk: `і в у не що він на я з із зі як а то все вона так його але ти до же ви за би по її мені було від мене про коли хто для
    де який яка які яке якому був була були є це чому скільки чим при під або їх`,
  bg: `и в във не че той на аз с със как а то тя така неговото но да ти до за по ѝ беше от мен о от кога кой коя кое кои кого
    къде какво какъв каква какви са е се защо колко при под или техните`,
  sr: `и у не што он на ја с са како а то она тако али да ти до за по је било од о из када ко где који која које су се зашто
    колико под или`,
  el: `ο η το οι τα του της των τον την και να με για από σε στο στη στην στον στα στις στους που πως τι είναι ήταν δεν θα ποιο
    ποια ποιος ποιοι ποιες πότε πού γιατί πόσο πόσα πόσοι ένα μια ένας ως ή`,
  he: `של את על עם הוא היא הם זה זו זאת לא כי אם או גם מה מי איפה מתי למה מדוע כיצד איך כמה אשר היה היתה הייתה היו אל כל יש אין
    איזה איזו אילו`,
  ar: `في من على إلى عن مع هو هي هم هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين لماذا كيف كم أي أو و لا لم لن كان كانت
    يكون أن إن قد كل بعد قبل بين هل منذ عند لدى حتى ثم كما`,
  fa: `در از به با که این آن را و است بود برای چه کی کجا چرا چگونه چند چقدر یا تا هم نیز شد شده کرد کرده می های ای یک کدام
    هستند بودند`,
  ur: `میں سے کی کے کا کو اور ہے ہیں تھا تھی تھے پر نے یہ وہ کیا کون کب کہاں کیوں کیسے کتنے کس جو کہ ایک نہیں تک`,
  hi: `में से की के का को और है हैं था थी थे पर ने यह वह क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने किसे
    किन जो कि एक नहीं तक भी तो ही हो गया गई इस उस द्वारा लिए साथ कौनसा कौनसी होता होती`,
  mr: `आणि आहे आहेत होता होती होते हे हा ही ते तो ती काय कोण कधी कुठे का कसे किती या त्या ने ला चा ची चे च्या मध्ये`,
  bn: `এবং ও এই সেই যে কি কী কে কখন কোথায় কেন কীভাবে কত কোন থেকে জন্য সঙ্গে সাথে হয় ছিল করে না একটি তার তাদের আছে মধ্যে`,
  gu: `અને છે હતી હતો હતા આ તે શું કોણ ક્યારે ક્યાં કેમ કેવી કેટલા માં થી ને નો ની નું ના એક પણ`,
  pa: `ਵਿੱਚ ਤੋਂ ਦੀ ਦੇ ਦਾ ਨੂੰ ਅਤੇ ਹੈ ਹਨ ਸੀ ਸਨ ਇਹ ਉਹ ਕੀ ਕੌਣ ਕਦੋਂ ਕਿੱਥੇ ਕਿਉਂ ਕਿਵੇਂ ਕਿੰਨੇ ਨੇ ਇੱਕ`,
  ta: `ஒரு இது அது என்ன யார் எப்போது எங்கே ஏன் எப்படி எத்தனை மற்றும் என்று உள்ள இந்த அந்த எந்த எது`,
  te: `ఒక ఇది అది ఏమిటి ఎవరు ఎప్పుడు ఎక్కడ ఎందుకు ఎలా ఎన్ని మరియు ఈ ఆ ఏ అని`,
  kn: `ಒಂದು ಇದು ಅದು ಏನು ಯಾರು ಯಾವಾಗ ಎಲ್ಲಿ ಏಕೆ ಹೇಗೆ ಎಷ್ಟು ಮತ್ತು ಈ ಆ ಯಾವ`,
  ml: `ഒരു ഇത് അത് എന്ത് ആര് എപ്പോൾ എവിടെ എന്തുകൊണ്ട് എങ്ങനെ എത്ര ഈ ആ ഏത് എന്ന`,
  zh: `什么 甚么 什麼 哪些 哪个 哪個 多少 怎么 怎麼 如何 为什 為什 是什 哪里 哪裡 谁是 是谁 何时`,
  ja: `です ます した から まで とは 何で すか のか どの どこ いつ だれ 誰が 何が 何を なぜ どう うな ては では には との`,
  ko: `니다 습니 입니 했습 에서 으로 나요 까요 무엇 어떤 언제 누구 어디 얼마 인가 는가`,
};
