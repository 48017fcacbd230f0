/// Finding of a guard: a sign that the process is watched or changed.
///
/// No finding is a proof. Its weight says how much it takes to explain it harmlessly.
///
/// ```swift
/// let finding = GuardFinding(
///     .hook, "hook.keyboard", weight: 50, evidence: "a foreign keyboard reads what is typed")
/// ```
public struct GuardFinding: Sendable, Hashable, Codable {
    /// Kind of tampering that a finding is a sign of.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A debugger or tracer controls the process.
        case debugger
        /// Code or read-only data in memory is not what is in the program's file, or does not fit its seal.
        case checksum
        /// Code of others stands between the program and its libraries.
        case hook
        /// A tool of dynamic instrumentation, such as Frida, is inside or beside the process.
        case instrumentation
        /// A guard has fallen silent while its neighbours went on.
        case silence
        /// A bundled file does not fit the seal.
        case resources
        /// The system is a virtual machine, a container or an emulator.
        case virtualMachine
        /// The process has the rights of the administrator, or the system is open to all its users.
        case root
    }

    /// Weight of a finding that nothing harmless explains; it equals ``GuardPolicy/threshold`` in the default policy.
    public static let fullWeight = 100

    /// Kind of tampering.
    public var kind: Kind
    /// Stable name of the rule, such as `debugger.tracer`; the same for every finding of the rule.
    public var name: String
    /// Weight from 0 to 100.
    public var weight: Int
    /// Observation on this machine, in words; it may hold paths and process numbers, and stays on the device.
    public var evidence: String

    /// Makes a finding; a weight outside 0 to 100 becomes the nearest of them.
    public init(_ kind: Kind, _ name: String, weight: Int, evidence: String) {
        self.kind = kind
        self.name = name
        self.weight = min(max(weight, 0), Self.fullWeight)
        self.evidence = evidence
    }
}
