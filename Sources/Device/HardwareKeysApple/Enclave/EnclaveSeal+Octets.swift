#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import HardwareKeys
    import Octets

    /// The sealed form: version, gate, enrolment, wrapped key, point, box, and eight bytes of SHA-256 over all of it.
    ///
    /// The checksum tells changed bytes from those of another device; it is no protection, the box is.
    extension EnclaveSeal {
        private static let version: UInt8 = 1
        private static let checksumByteCount = 8

        /// What the box authenticates: everything that stands before it.
        var header: [UInt8] {
            var writer = OctetWriter()
            writer.writeUInt8(Self.version)
            writer.writeUInt8(gate?.rawValue ?? 0)
            writer.write(key.octets)
            writer.write(point)
            return writer.bytes
        }

        /// Everything but the checksum, for a place that keeps its bytes whole by itself.
        var body: [UInt8] { header + box }

        /// The sealed form with its checksum; nil when the Enclave wraps its keys in more bytes than there is room for.
        var sealed: SealedSecret? { SealedSecret(bytes: body + Self.checksum(of: body)) }

        /// Reads what ``sealed`` made.
        init(_ sealed: SealedSecret) throws(KeyVaultError) {
            let body = sealed.bytes.dropLast(Self.checksumByteCount)
            guard sealed.bytes.suffix(Self.checksumByteCount) == Self.checksum(of: Array(body)) else { throw .damaged }
            try self.init(body: body)
        }

        /// Reads what ``body`` made.
        init(body: ArraySlice<UInt8>) throws(KeyVaultError) {
            guard body.first == Self.version else {
                guard let version = body.first, version > Self.version else { throw .damaged }
                throw .newerFormat(version: version)
            }
            do {
                var reader = OctetReader(body.dropFirst())
                let gate = try reader.readUInt8()
                let key = try EnclaveKey(from: &reader)
                let point = Array(try reader.read(count: 65))
                let box = Array(try reader.read(count: Self.boxByteCount))
                try reader.finish()
                guard gate == 0 || UserGate(rawValue: gate) != nil else { throw KeyVaultError.damaged }
                self.init(gate: UserGate(rawValue: gate), key: key, point: point, box: box)
            } catch {
                throw .damaged
            }
        }

        private static func checksum(of bytes: [UInt8]) -> ArraySlice<UInt8> {
            Array(SHA256.hash(data: bytes)).prefix(checksumByteCount)
        }
    }
#endif
