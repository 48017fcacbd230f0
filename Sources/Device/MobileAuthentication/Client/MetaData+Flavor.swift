import Authenticators
package import BackendTransport
import HardwareKeys

extension MetaData {
    /// Flavour of the SDK, chosen when it is built.
    public enum Flavor: String, Sendable, Hashable, CaseIterable {
        /// The default, for applications that are shipped: servers need a certificate of an issuer that the operating
        /// system trusts or ``Configuration/additionalTrustedCertificates`` holds, and guards and device lock count.
        case release
        /// For development and tests, by the package trait `DebugFlavor`: any issuer is accepted at loopback, private
        /// and listed hosts, there is no exchange with other hosts, no guard runs, and no device lock is asked for.
        case debug
    }

    #if DebugFlavor
        /// The flavour of this build.
        public static let flavor = Flavor.debug
    #else
        /// The flavour of this build.
        public static let flavor = Flavor.release
    #endif
}

extension MetaData.Flavor {
    /// Issuers that are accepted, and hosts that are talked to; `hosts` are those that the application lists.
    package func issuers(listing hosts: [String] = []) -> TransportTrust.Issuers {
        switch self {
        case .release: .known
        case .debug: .anyAt(LocalHosts(listing: hosts))
        }
    }

    /// The lock of the device as it counts: in the debug flavour it is not known, and keys work without one.
    func counted(_ lock: any DeviceLock) -> any DeviceLock {
        switch self {
        case .release: lock
        case .debug: UntoldDeviceLock()
        }
    }

    /// The logger of an application; where it has none, the debug flavour writes its warnings to the standard error.
    package func logger(_ own: (any SDKLogger)?) -> (any SDKLogger)? {
        switch self {
        case .release: own
        case .debug: own ?? StandardErrorLogger(from: .warning)
        }
    }

    /// Tells the log which flavour runs; the debug flavour is a warning.
    func announce(to logger: any SDKLogger) {
        let fields = [
            SDKLogField.open("flavor", rawValue), .open("version", MetaData.mobileAuthenticationVersion),
        ]
        switch self {
        case .release: logger.log(.debug, .client, "The release flavour of the SDK runs.", fields)
        case .debug: logger.log(.warning, .client, Self.warning, fields)
        }
    }

    private static let warning =
        "The debug flavour of the SDK runs: it accepts certificates of any issuer, runs no guard, and asks for no "
        + "device lock. Never ship it."
}
