/// Summary of what the guards of a process have found, to be sent along with a request and kept in an audit.
///
/// It holds rules and weights and no evidence: no path, no name of a process, nothing about a person or a device. It is
/// encoded as JSON by any encoder, in some hundred bytes:
/// `{"version":1,"flavor":"release","isSealed":true,"isEnforcing":true,"findings":[{"kind":"root","name":"root.user",`
/// `"weight":100}],"unexamined":["checksum"]}`.
public struct GuardSummary: Sendable, Hashable, Codable {
    /// Rule that has found something.
    public struct Rule: Sendable, Hashable, Codable {
        /// Kind of tampering.
        public var kind: GuardFinding.Kind
        /// Name of the rule, as in ``GuardFinding/name``.
        public var name: String
        /// Greatest weight that the rule has given, from 0 to 100.
        public var weight: Int
    }

    /// Flavour of the SDK that was built.
    public enum Flavor: String, Sendable, Hashable, Codable {
        /// Guards run.
        case release
        /// No guard runs.
        case debug
    }

    /// Version of this form: 1.
    public var version: Int
    /// Flavour of the SDK.
    public var flavor: Flavor
    /// Whether the program was sealed after linking.
    public var isSealed: Bool
    /// Whether findings have consequences.
    public var isEnforcing: Bool
    /// Rules that have found something, each once, in the order of their names.
    public var findings: [Rule]
    /// Kinds of which some part could not be examined, in alphabetical order.
    public var unexamined: [GuardFinding.Kind]

    init(
        of findings: some Sequence<GuardFinding>, unexamined: Set<GuardFinding.Kind>, isSealed: Bool, isEnforcing: Bool,
        flavor: Flavor = Self.flavor
    ) {
        version = 1
        self.flavor = flavor
        self.isSealed = isSealed
        self.isEnforcing = isEnforcing
        var rules: [String: Rule] = [:]
        for finding in findings {
            let weight = max(finding.weight, rules[finding.name]?.weight ?? 0)
            rules[finding.name] = Rule(kind: finding.kind, name: finding.name, weight: weight)
        }
        self.findings = rules.values.sorted { $0.name < $1.name }
        self.unexamined = unexamined.sorted { $0.rawValue < $1.rawValue }
    }

    #if DebugFlavor
        static let flavor = Flavor.debug
    #else
        static let flavor = Flavor.release
    #endif
}
