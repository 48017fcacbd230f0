import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.4.6.1: version vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct VersionVectorTests {
    @Test("The highest common version is chosen, or the stated error reported")
    func cases() throws {
        for entry in try VectorFile.cases("client-versions.json") {
            entry.requireOnly("id", "client", "messages", "expect", "error")
            let id = try entry.string("id")
            let supported = Set(try entry.values("client").map(version))
            do {
                let chosen = try VersionNegotiation.highest(
                    of: entry.values("messages").map(version), supported: supported)
                #expect(try chosen == version(#require(entry["expect"], "\(id)")), "\(id)")
            } catch let error as MessageError {
                #expect(error.clientErrorCode == entry["error"]?.errorCode, "\(id)")
            }
        }
    }

    private func version(_ json: JSONValue) throws -> ProtocolVersion {
        let numbers: [UInt16] = try json.asArray { number throws(JSONTypeError) in try number.asInteger() }
        try #require(numbers.count == 2)
        return ProtocolVersion(major: numbers[0], minor: numbers[1])
    }
}
