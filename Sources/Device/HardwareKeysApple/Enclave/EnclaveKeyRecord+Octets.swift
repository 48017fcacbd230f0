#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeys
    import Octets

    /// The record as bytes: version, use, authorisation with its parameter (limit or gate), public point, protection.
    extension EnclaveKeyRecord {
        private static let version: UInt8 = 1

        var octets: [UInt8] {
            var writer = OctetWriter()
            writer.write([Self.version] + requirements.octets)
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
                guard let requirements = KeyRequirements(octets: try reader.read(count: KeyRequirements.byteCount)),
                    requirements.algorithm == .p256
                else { throw KeyVaultError.damaged }
                let point = Array(try reader.read(count: 65))
                let protection = try Protection(from: &reader, withSecret: requirements.authorization.takesSecret)
                try reader.finish()
                self.init(
                    requirements: requirements, point: point, protection: protection)
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
#endif
