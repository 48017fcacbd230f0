#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import Octets

    /// The wrapped key with its length before it (two bytes, least significant first), then the enrolment (one byte).
    extension EnclaveKey {
        var octets: [UInt8] {
            var writer = OctetWriter()
            writer.writeUInt16LittleEndian(UInt16(clamping: blob.count))
            writer.write(blob)
            writer.writeUInt8(UInt8(clamping: enrollment.count))
            writer.write(enrollment)
            return writer.bytes
        }

        init(from reader: inout OctetReader) throws(OctetError) {
            let blob = Array(try reader.read(count: Int(try reader.readUInt16LittleEndian())))
            let enrollment = Array(try reader.read(count: Int(try reader.readUInt8())))
            self.init(blob: blob, enrollment: enrollment)
        }
    }
#endif
