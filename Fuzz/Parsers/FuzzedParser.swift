/// A parser under test: takes any bytes, and either refuses them with its own error or accepts them and keeps its
/// promises.
package struct FuzzedParser: Sendable {
    /// The name, for the command line and the folder of its regressions.
    package let name: String
    /// Whether the parser takes the bytes; throws ``FuzzFinding`` when it breaks a promise.
    package let accepts: @Sendable ([UInt8]) throws(FuzzFinding) -> Bool

    init(_ name: String, _ accepts: @escaping @Sendable ([UInt8]) throws(FuzzFinding) -> Bool) {
        self.name = name
        self.accepts = accepts
    }

    /// A parser that reads into a value whose own bytes must read back to the same value.
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

    /// A parser whose value has no equality: what it writes must be read and written again as the same bytes.
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

    /// A parser that keeps or rebuilds exactly the bytes it read.
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
