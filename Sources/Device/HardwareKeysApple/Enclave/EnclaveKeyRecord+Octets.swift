#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeys
    import Octets

    /// The record as bytes: version, use, authorisation with its parameter (limit or gate), public point, protection.
    extension EnclaveKeyRecord {
        private static let version: UInt8 = 1

        var octets: [UInt8] {
            let (kind, parameter) = requirements.authorization.numbers
            var writer = OctetWriter()
            writer.write([Self.version, requirements.use == .signing ? 1 : 2, kind, parameter])
            writer.write(point)
            switch protection {
            case .enclave(let key): writer.write(key.octets)
            case .secret(let seal):
                let factor = seal.factor.body
                writer.writeUInt16LittleEndian(UInt16(clamping: factor.count))
                writer.write(factor)
                writer.write(seal.box)
            }
            return writer.bytes
        }

        /// Reads what ``octets`` made.
        init(octets: [UInt8]) throws(KeyVaultError) {
            guard octets.first == Self.version else {
                guard let version = octets.first, version > Self.version else { throw .damaged }
                throw .newerFormat(version: version)
            }
            do {
                var reader = OctetReader(octets[1...])
                let use = KeyRequirements.Use(number: try reader.readUInt8())
                let authorization = KeyRequirements.Authorization(try reader.readUInt8(), try reader.readUInt8())
                guard let use, let authorization else { throw KeyVaultError.damaged }
                let point = Array(try reader.read(count: 65))
                let protection = try Protection(from: &reader, withSecret: authorization.takesSecret)
                try reader.finish()
                self.init(
                    requirements: KeyRequirements(use: use, authorization: authorization), point: point,
                    protection: protection)
            } catch {
                throw .damaged
            }
        }
    }

    extension EnclaveKeyRecord.Protection {
        fileprivate init(from reader: inout OctetReader, withSecret: Bool) throws {
            guard withSecret else {
                self = .enclave(try EnclaveKey(from: &reader))
                return
            }
            let factor = try reader.read(count: Int(try reader.readUInt16LittleEndian()))
            self = .secret(SecretSeal(factor: try EnclaveSeal(body: factor), box: Array(reader.readRest())))
        }
    }

    extension KeyRequirements.Use {
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
#endif
