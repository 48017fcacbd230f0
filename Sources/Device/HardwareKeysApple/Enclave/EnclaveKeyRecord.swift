#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import HardwareKeys
    import Octets

    /// One key of the vault as its keychain item holds it.
    struct EnclaveKeyRecord: Hashable, Sendable {
        /// Form of the wrapped key in the record.
        enum Protection: Hashable, Sendable {
            /// As the Enclave gave it: what the Enclave asks for is all it takes.
            case enclave(EnclaveKey)
            /// Under the secret of the key as well.
            case secret(SecretSeal)
        }

        let requirements: KeyRequirements
        /// The public point, uncompressed.
        let point: [UInt8]
        var protection: Protection

        init(requirements: KeyRequirements, point: [UInt8], protection: Protection) {
            self.requirements = requirements
            self.point = point
            self.protection = protection
        }

        init(
            making requirements: KeyRequirements, named reference: KeyReference, under secret: VaultSecret?
        ) throws(KeyVaultError) {
            // What a user's secret opens ends with the passcode as well: the keys of users do, the keys of the device do not.
            let (key, point) = try EnclaveKey.make(
                requirements.use, behind: requirements.authorization.gate,
                endingWithPasscode: requirements.authorization.takesSecret)
            let protection: Protection =
                if let secret {
                    .secret(try SecretSeal(sealing: key.blob, of: reference, under: secret))
                } else {
                    .enclave(key)
                }
            self.init(requirements: requirements, point: point, protection: protection)
        }
    }

    extension KeyRequirements.Authorization {
        /// The gate that the Enclave keeps; nil where the user is not asked.
        var gate: UserGate? {
            guard case .userPresence(let gate) = self else { return nil }
            return gate
        }

        /// Limit of wrong secrets after which the key is locked; nil where they are not counted.
        var limit: UInt8? {
            guard case .countedSecret(let limit) = self else { return nil }
            return limit
        }

        var takesSecret: Bool { self == .secret || limit != nil }
    }

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
