import ServerCore

/// Settings of a session on the server that transactions change, as far as they are known.
///
/// A value holds from then on, also for later transactions, so that hardly any of them has a statement for it. When a
/// transaction is undone the server takes back what it has set; then nothing is known until the next one sets it.
struct PostgreSQLSessionSettings {
    /// A setting, by its name on the server.
    enum Name: String {
        case statementTimeout = "statement_timeout"
        /// Whether a prepared statement is planned anew for its arguments.
        case plans = "plan_cache_mode"
    }

    /// Plans of prepared statements, by the value of the setting.
    enum Plans: String {
        /// The server chooses between a plan for all arguments and one for those at hand.
        case chosen = "auto"
        /// Each statement is planned once, whatever its arguments are.
        case kept = "force_generic_plan"
    }

    /// Kind of transactions that a session of the product has.
    enum Purpose {
        /// All transactions only read, and see one state, unless they say otherwise.
        case reading
        case writing
    }

    private var known: [Name: String]

    init(_ settings: PostgreSQLSettings) {
        known = [
            .statementTimeout: Self.value(milliseconds: settings.statementTimeout.wholeMilliseconds),
            .plans: Plans.chosen.rawValue,
        ]
    }

    /// Notes a value; false when it is known to be that.
    mutating func change(_ name: Name, to value: String) -> Bool {
        guard known[name] != value else { return false }
        known[name] = value
        return true
    }

    mutating func forget() { known = [:] }

    /// A time-out; zero for none.
    static func value(milliseconds: Int64) -> String { "\(milliseconds)ms" }
}
