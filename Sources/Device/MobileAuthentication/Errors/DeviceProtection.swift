public import TamperGuards

/// Guards and a check of the application's own, which are asked before keys are opened and before operations.
public struct DeviceProtection: Sendable {
    /// No guard runs: an attacker may watch and change the process, and the SDK does not notice.
    public static let none = DeviceProtection(network: nil)

    let network: GuardNetwork?
    /// Further check, of the application.
    var check: @Sendable () throws -> Void = {}

    /// Guards of a network, which the client starts; by default the guards of the process with the policy
    /// ``GuardPolicy/release``.
    public static func guards(_ network: GuardNetwork = .ofProcess) -> DeviceProtection {
        DeviceProtection(network: network)
    }

    /// Error of the guards or of the application's check when the device or the application was tampered with.
    func objection() async -> (any Error)? {
        await network?.settle()
        return verdict()
    }

    // Inlined into an asynchronous function it crashes the optimizer of Swift 6.3 (LLVM's pass CoroSplit).
    @inline(never)
    private func verdict() -> (any Error)? {
        do {
            try network?.check()
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// Starts the guards, and tells the log whether they run and findings have consequences.
    func begin(tellingOf flavor: MetaData.Flavor, to logger: (any SDKLogger)?) {
        network?.start()
        // The debug flavour says itself that no guard runs.
        guard flavor == .release else { return }
        switch network?.isEnforcing {
        case true?: logger?.log(.debug, .client, "Guards against tampering run, and findings have consequences.", [])
        case false?: logger?.log(.warning, .client, Self.reportOnly, [])
        case nil: logger?.log(.warning, .client, "No guard against tampering runs, as the application has said.", [])
        }
    }

    private static let reportOnly =
        "Guards against tampering run, but findings are reported only: the program was not sealed after linking, or the "
        + "policy of the application says so."
}

/// Objection to asking a server.
struct DistrustedDevice: Error {
    let cause: any Error
}
