/// Guard against one kind of tampering.
///
/// A guard looks and reports; the ``GuardPolicy`` decides the reaction. Files that are missing, system calls that are
/// refused and texts that cannot be read are ``TamperGuardResult/unknown``, never a finding: they are what sandboxes,
/// containers and hardened systems look like.
///
/// ```swift
/// struct KeyboardGuard: TamperGuard {
///     let kind = GuardFinding.Kind.hook
///
///     func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
///         guard extent != .operation else { return .clear }
///         return TamperGuardResult(unknown: ["this system does not name its keyboards"])
///     }
/// }
/// ```
public protocol TamperGuard: Sendable {
    /// Kind of tampering that this guard looks for.
    var kind: GuardFinding.Kind { get }

    /// Looks once; called from any thread, also from several at a time.
    func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult
}

/// Extent of one inspection, which bounds its cost.
@nonexhaustive
public enum TamperGuardExtent: Sendable, Hashable {
    /// Before an operation of the SDK; all guards together are to take 0.1 ms.
    case operation
    /// At the start of the process and at random times; a guard is to take less than 1 ms.
    case round
    /// Everything there is to see, for `signet guards`, and once for the guards of the kind
    /// ``GuardFinding/Kind/checksum`` of a sealed program; it may take tens of milliseconds.
    case whole
}

/// Result of one inspection.
public struct TamperGuardResult: Sendable, Hashable {
    /// Signs of tampering; empty for a process as it should be.
    public var findings: [GuardFinding]
    /// Parts that could not be examined, each with the reason.
    public var unknown: [String]

    /// Makes a result.
    public init(findings: [GuardFinding] = [], unknown: [String] = []) {
        self.findings = findings
        self.unknown = unknown
    }

    /// A process as it should be.
    public static let clear = TamperGuardResult()

    static func + (one: TamperGuardResult, other: TamperGuardResult) -> TamperGuardResult {
        TamperGuardResult(findings: one.findings + other.findings, unknown: one.unknown + other.unknown)
    }
}
