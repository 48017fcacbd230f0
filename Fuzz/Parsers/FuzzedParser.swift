/// Parser under test: takes any bytes, and either rejects them with its own error or accepts them and satisfies its
/// invariants.
package struct FuzzedParser: Sendable {
    /// Name for the command line and the folder of its regressions.
    package let name: String
    /// Whether the parser accepts the bytes; throws ``FuzzFinding`` when it violates an invariant.
    package let accepts: @Sendable ([UInt8]) throws(FuzzFinding) -> Bool

    init(_ name: String, _ accepts: @escaping @Sendable ([UInt8]) throws(FuzzFinding) -> Bool) {
        self.name = name
        self.accepts = accepts
    }

    /// Round-trip test: the value's own encoding has to be read as an equal value.
    static func roundTrip<Value: Equatable & SendableMetatype>(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Value,
        write: @escaping @Sendable (Value) throws -> [UInt8]
    ) -> FuzzedParser {
        FuzzedParser(name) { bytes throws(FuzzFinding) in
            guard let value = try? read(bytes) else { return false }
            guard let written = try? write(value), let again = try? read(written), again == value else {
                throw FuzzFinding(parser: name, promise: "what was read and written is read again as the same value")
            }
            return true
        }
    }

    /// Stability test, for values without equality: the encoding has to be read and written again as the same bytes.
    static func stable<Value: SendableMetatype>(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Value,
        write: @escaping @Sendable (Value) throws -> [UInt8]
    ) -> FuzzedParser {
        FuzzedParser(name) { bytes throws(FuzzFinding) in
            guard let value = try? read(bytes) else { return false }
            guard let written = try? write(value), let again = try? read(written), (try? write(again)) == written else {
                throw FuzzFinding(parser: name, promise: "what was written is read and written as the same bytes")
            }
            return true
        }
    }

    /// Exactness test: the parser has to keep or rebuild exactly the bytes it read.
    static func exact<Value: SendableMetatype>(
        _ name: String, read: @escaping @Sendable ([UInt8]) throws -> Value,
        write: @escaping @Sendable (Value) throws -> [UInt8]
    ) -> FuzzedParser {
        FuzzedParser(name) { bytes throws(FuzzFinding) in
            guard let value = try? read(bytes) else { return false }
            guard let written = try? write(value), written == bytes else {
                throw FuzzFinding(parser: name, promise: "what was read is written as the same bytes")
            }
            return true
        }
    }
}
