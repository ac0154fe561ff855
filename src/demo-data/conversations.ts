// What people ask the support agent of the example project, and what it does about it. One conversation becomes one session.

/** `{order}` and `{name}` stand for the order and the customer of a session. */
export interface ExampleTurn {
  readonly question: string;
  readonly answer: string;
  readonly tool?: ExampleTool;
  /** What the agent looks up in the help center, with the titles of what it finds. */
  readonly lookup?: { readonly query: string; readonly articles: readonly ExampleArticle[] };
}

interface ExampleTool {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number>>;
  readonly output: Readonly<Record<string, string | number | boolean>>;
  /** It may time out; then the agent says so. */
  readonly fragile?: boolean;
}

interface ExampleArticle {
  readonly title: string;
  readonly text: string;
}

const returns: ExampleArticle = {
  title: "Returns and refunds",
  text: "Items can be sent back within 30 days of delivery. The label is free. The money is returned to the card that paid, 3 to 5 working days after the parcel has arrived.",
};
const damaged: ExampleArticle = {
  title: "Damaged on arrival",
  text: "Ask for one photo of the item and one of the parcel. Offer a replacement first, then a refund. No return is needed below 40 EUR.",
};
const delivery: ExampleArticle = {
  title: "Where is my parcel",
  text: "Tracking appears within 24 hours of dispatch. A parcel without a scan for five working days counts as lost and is sent again at no charge.",
};
const invoices: ExampleArticle = {
  title: "Invoices for companies",
  text: "A company name and a VAT number can be added for 14 days after the order. The invoice is then issued again and the old one cancelled.",
};
const warranty: ExampleArticle = {
  title: "Warranty and repairs",
  text: "Machines have a warranty of two years. Descaling marks do not void it. Repairs take ten working days; a loan machine can be offered for orders above 300 EUR.",
};

export const conversations: readonly (readonly ExampleTurn[])[] = [
  [
    {
      question: "I was charged twice for order {order}. Can you check?",
      answer:
        "You see two lines, but only one of them is a payment. The other is a **reservation** that your bank releases within three working days. Order {order} was paid once, on the day you placed it.",
      tool: {
        name: "lookup_order",
        input: { order_id: "{order}" },
        output: { order_id: "{order}", status: "delivered", payments: 1, reservations: 1, total_eur: 84.9 },
      },
    },
    {
      question: "And if the money is not back by Friday?",
      answer:
        "Then write to us again and attach a statement that shows both lines. We will send your bank a confirmation that the reservation is void; most banks release it the same day.",
    },
  ],
  [
    {
      question: "The return label you sent does not work at the counter.",
      answer:
        "I am sorry about that. I have made a new label for order {order} and sent it to your address. The old one can no longer be used, so please delete it.",
      tool: {
        name: "create_return_label",
        input: { order_id: "{order}", carrier: "DHL" },
        output: { label_id: "RL-48213", carrier: "DHL", valid_days: 14, sent: true },
        fragile: true,
      },
      lookup: { query: "return label rejected", articles: [returns, delivery, damaged] },
    },
    {
      question: "Great, it arrived. When do I get the money back?",
      answer:
        "Three to five working days after the parcel has reached our warehouse. The amount goes to the card you paid with, so there is nothing else to do for you.",
      lookup: { query: "refund duration", articles: [returns, invoices] },
    },
    { question: "Thanks!", answer: "You are welcome, {name}. Have a good day." },
  ],
  [
    {
      question: "My grinder came with a cracked hopper. What now?",
      answer:
        "That should not happen. Could you send me one photo of the hopper and one of the box? I can send a **replacement** today, or refund the part, as you prefer. You do not have to return the broken one.",
      lookup: { query: "item damaged on arrival hopper", articles: [damaged, returns, warranty] },
    },
    {
      question: "A replacement please, here are the photos.",
      answer:
        "Thank you, the photos are clear. The replacement leaves our warehouse tomorrow, and you will get the tracking number by e-mail.",
      tool: {
        name: "create_replacement",
        input: { order_id: "{order}", item: "hopper 350 g", reason: "damaged" },
        output: { replacement_id: "RP-10377", ships: "tomorrow", charge_eur: 0 },
      },
    },
  ],
  [
    {
      question: "Where is my order {order}? The tracking has not moved for a week.",
      answer:
        "The last scan of your parcel was six working days ago, so we count it as lost. I have sent the same items again by express, free of charge. They should be with you the day after tomorrow.",
      tool: {
        name: "track_parcel",
        input: { order_id: "{order}" },
        output: { carrier: "GLS", last_scan: "Neuenstein hub", working_days_since_scan: 6, lost: true },
        fragile: true,
      },
      lookup: { query: "parcel lost no scan", articles: [delivery, returns] },
    },
    {
      question: "And what if the first one turns up after all?",
      answer:
        "Then simply refuse it at the door, or keep it closed and we will have it collected. You will not be charged.",
      lookup: { query: "lost parcel arrives later", articles: [delivery] },
    },
  ],
  [
    {
      question: "I need an invoice with our VAT number for {order}.",
      answer:
        "Done: the invoice for order {order} now shows your company and VAT number, and the earlier one is cancelled. Both documents are in your account under Orders.",
      tool: {
        name: "reissue_invoice",
        input: { order_id: "{order}", company: "Brightwater Ltd", vat: "DE 811 907 980" },
        output: { invoice: "2026-44871", cancels: "2026-44102" },
      },
      lookup: { query: "company invoice VAT number", articles: [invoices, returns] },
    },
  ],
  [
    {
      question: "The espresso machine leaks after 14 months. Is that still under warranty?",
      answer:
        "Yes, the warranty runs for two years. A repair takes about ten working days, and because your order was above 300 EUR I can offer you a loan machine for that time. Shall I book both?",
      lookup: { query: "warranty leak espresso machine", articles: [warranty, damaged, returns] },
    },
    {
      question: "Yes, please book both.",
      answer: "Both are booked, {name}. The driver brings the loan machine and takes yours along on the same visit.",
      tool: {
        name: "book_repair",
        input: { order_id: "{order}", loan_machine: "yes" },
        output: { repair_id: "RE-5521", pick_up: "Tuesday 9:00–12:00", loan: true },
        fragile: true,
      },
    },
    {
      question: "Can I move the pick-up to Wednesday?",
      answer: "Of course. The pick-up is now on Wednesday between 13:00 and 16:00.",
      tool: {
        name: "move_pick_up",
        input: { repair_id: "RE-5521", day: "Wednesday" },
        output: { repair_id: "RE-5521", pick_up: "Wednesday 13:00–16:00" },
      },
    },
  ],
];

export const customers: readonly string[] = [
  "priya.n",
  "tom.okafor",
  "lena.w",
  "marco.r",
  "sofia.lind",
  "kenji.t",
  "amira.h",
  "paul.d",
];

/** Subjects of the mails that the nightly run sorts. */
export const mails: readonly { readonly subject: string; readonly label: string }[] = [
  { subject: "Second reminder: label does not scan", label: "returns" },
  { subject: "Invoice 2026-44102 without VAT number", label: "billing" },
  { subject: "How do I descale the Duo?", label: "how-to" },
  { subject: "Parcel left in the rain", label: "damaged" },
  { subject: "Please cancel my newsletter", label: "account" },
  { subject: "Charged twice?", label: "billing" },
  { subject: "Grinder setting for filter coffee", label: "how-to" },
  { subject: "Wrong colour delivered", label: "returns" },
  { subject: "Tracking has stopped", label: "delivery" },
  { subject: "Spare gasket for the Uno", label: "parts" },
];
