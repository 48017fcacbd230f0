import Octets

/// The record as bytes: use, authorisation, its parameter (limit or gate), failures, public key, private key.
extension SoftwareKeyRecord {
    var octets: [UInt8] {
        let (kind, parameter) = requirements.authorization.numbers
        return [requirements.use.number, kind, parameter, failures] + publicKey + privateKey
    }

    /// Reads what ``octets`` made; it was authenticated, and still nothing is taken on trust.
    init(octets: [UInt8]) throws(KeyVaultError) {
        var reader = OctetReader(octets)
        do {
            let use = KeyRequirements.Use(number: try reader.readUInt8())
            let authorization = KeyRequirements.Authorization(try reader.readUInt8(), try reader.readUInt8())
            let failures = try reader.readUInt8()
            let publicKey = Array(try reader.read(count: Self.publicKeyByteCount))
            let privateKey = Array(try reader.read(count: Self.privateKeyByteCount))
            try reader.finish()
            guard let use, let authorization else { throw KeyVaultError.damaged }
            self.init(
                requirements: KeyRequirements(use: use, authorization: authorization), publicKey: publicKey,
                privateKey: privateKey, failures: failures)
        } catch {
            throw .damaged
        }
    }
}

extension KeyRequirements.Use {
    fileprivate var number: UInt8 {
        switch self {
        case .signing: 1
        case .agreement: 2
        }
    }

    fileprivate init?(number: UInt8) {
        switch number {
        case 1: self = .signing
        case 2: self = .agreement
        default: return nil
        }
    }
}

extension KeyRequirements.Authorization {
    fileprivate var numbers: (kind: UInt8, parameter: UInt8) {
        switch self {
        case .open: (0, 0)
        case .secret: (1, 0)
        case .countedSecret(let limit): (2, limit)
        case .userPresence(let gate): (3, gate.rawValue)
        }
    }

    fileprivate init?(_ kind: UInt8, _ parameter: UInt8) {
        switch (kind, parameter) {
        case (0, 0): self = .open
        case (1, 0): self = .secret
        case (2, 1...): self = .countedSecret(limit: parameter)
        case (3, _):
            guard let gate = UserGate(rawValue: parameter) else { return nil }
            self = .userPresence(gate)
        default: return nil
        }
    }
}
