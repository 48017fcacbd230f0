/// Part of the benchmark of scale.
enum ScalePart: String, CaseIterable, Sendable {
    /// SQLite, PostgreSQL and pgbench side by side.
    case postgresql
    /// Latencies at half of the own rate, and what they consist of.
    case latency
    /// Overload, from 50 to 300 % of the best rate.
    case goodput
    /// Two server processes on one database beside one.
    case processes
    /// A thousand, a hundred thousand and a million users.
    case lookup
    /// A millisecond between server and database.
    case delay

    /// All parts with what they measure, a line for each.
    static var list: String {
        allCases.map { part in
            let name = part.rawValue + String(repeating: " ", count: max(12 - part.rawValue.count, 1))
            return "  \(name)\(part.sentence)"
        }.joined(separator: "\n")
    }

    private var sentence: String {
        switch self {
        case .postgresql:
            "SQLite and PostgreSQL beside pgbench with the same transaction; latencies at 70 %"
        case .latency: "p99 of sign-ins at half of the own rate, the time of one phone alone, and the parts of the mean"
        case .goodput: "sign-ins within a second at 50 to 300 % of the best rate, and how fast refusals are"
        case .processes: "two server processes beside one, by CPU second"
        case .lookup: "sign-ins and look-ups with 1,000, 100,000 and 1,000,000 users"
        case .delay: "sign-ins with a millisecond between server and PostgreSQL"
        }
    }
}
