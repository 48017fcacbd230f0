import Octets

/// The device fingerprint that an application gave, kept while its storage may have to be opened again.
final class DeviceFingerprint: Sendable {
    private let octets: SecretOctets

    init(_ text: String) { octets = SecretOctets(copying: text.utf8) }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        octets.withUnsafeBytes { body($0) }
    }
}
