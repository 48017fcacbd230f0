import Foundation
import LocalAuthentication
import Security

/// Data representation of the stub: JSON, where the real Enclave has an encrypted blob.
struct WrappedKey: Codable {
    enum Use: String, Codable {
        case signing
        case agreement
    }

    let enclave: UUID
    let use: Use
    let protection: String
    let flags: UInt
    let enrollment: Data?
    let removedPasscodes: Int
    let scalar: Data

    /// Wraps a new key; refuses what the real Enclave refuses.
    init(wrapping scalar: Data, for use: Use, under control: SecAccessControl) throws {
        let device = StubDevice.current.with { $0 }
        guard device.hasEnclave else { throw Self.tokenError(-7) }
        guard device.hasPasscode || control.protection != kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly else {
            throw Self.tokenError(-9)
        }
        enclave = device.identity
        self.use = use
        protection = control.protection
        flags = control.flags.rawValue
        enrollment = device.enrollmentState
        removedPasscodes = device.removedPasscodes
        self.scalar = scalar
        try requireUnlocked(device)
    }

    /// Unwraps a key of this Enclave.
    init(_ dataRepresentation: Data, for use: Use) throws {
        guard let key = try? JSONDecoder().decode(WrappedKey.self, from: dataRepresentation), key.use == use,
            key.enclave == StubDevice.current.with({ $0.identity })
        else { throw Self.tokenError(-3) }
        self = key
    }

    var dataRepresentation: Data { (try? JSONEncoder().encode(self)) ?? Data() }

    /// Access control that the Enclave checks before each use.
    func authorize(in context: LAContext?) throws {
        let device = StubDevice.current.with { $0 }
        try requireUnlocked(device)
        let asked = SecAccessControlCreateFlags(rawValue: flags)
        let isBound = protection == kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        guard !isBound || device.hasPasscode && device.removedPasscodes == removedPasscodes else {
            throw Self.tokenError(-3)
        }
        if asked.contains(.biometryCurrentSet), device.enrollmentState != enrollment {
            throw Self.tokenError(device.changedSetCode)
        }
        guard asked != .privateKeyUsage else { return }
        if let refusal = (context ?? LAContext()).authorize(asked) { throw refusal }
    }

    private func requireUnlocked(_ device: StubDevice.State) throws {
        let isBound = protection == kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        guard !device.isBeforeFirstUnlock, !(isBound && device.isLocked) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(errSecInteractionNotAllowed))
        }
    }

    private static func tokenError(_ code: Int) -> NSError {
        NSError(domain: "CryptoTokenKit", code: code)
    }
}
