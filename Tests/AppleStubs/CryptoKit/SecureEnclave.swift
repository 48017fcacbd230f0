@_exported public import Crypto
import Security

/// The Secure Enclave of the current device: software keys, wrapped with what they were made for.
public enum SecureEnclave {
    /// Whether the device has one.
    public static var isAvailable: Bool { StubDevice.current.with { $0.hasEnclave } }

    /// The one curve.
    public enum P256 {
        /// Signatures.
        public enum Signing {}
        /// Key agreement.
        public enum KeyAgreement {}
    }
}
