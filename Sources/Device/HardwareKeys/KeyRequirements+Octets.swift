/// Requirements as vaults write them into their records: use with algorithm, authorisation, its parameter (limit or gate).
extension KeyRequirements {
    /// Number of bytes of ``octets``.
    package static let byteCount = 3

    /// Three bytes.
    package var octets: [UInt8] {
        let (kind, parameter) = authorization.numbers
        return [purposeNumber, kind, parameter]
    }

    /// Reads what ``octets`` made; nil for everything else.
    package init?(octets: some Collection<UInt8>) {
        let bytes = Array(octets)
        guard bytes.count == Self.byteCount, let purpose = Self.purpose(bytes[0]),
            let authorization = Authorization(bytes[1], bytes[2])
        else { return nil }
        self.init(use: purpose.use, algorithm: purpose.algorithm, authorization: authorization)
    }

    private var purposeNumber: UInt8 {
        switch (use, algorithm) {
        case (.signing, .p256): 1
        case (.agreement, _): 2
        case (.signing, .rsa2048): 3
        }
    }

    private static func purpose(_ number: UInt8) -> (use: Use, algorithm: Algorithm)? {
        switch number {
        case 1: (.signing, .p256)
        case 2: (.agreement, .p256)
        case 3: (.signing, .rsa2048)
        default: nil
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
