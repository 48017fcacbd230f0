import HardwareKeys
import Octets
import Testing
import UAF

@testable import Authenticators

@Suite("Accounts that were deleted on the device only")
struct DepartedAccountTests {
    private func account(_ user: String, server: String = "https://server.example") throws -> DepartedAccount {
        let keyID = try #require(KeyID([UInt8](repeating: 7, count: 32)))
        let credential = CredentialID(aaid: try #require(AAID("F1D0#1001")), keyID: keyID)
        let owner = CredentialOwner(user: try #require(UserName(user)), server: server)
        let account = DepartedAccount(
            owner: owner, deviceID: "device", recordID: "record-\(user)", credentials: [credential])
        return try #require(account)
    }

    @Test("O-H5: what a server was not told is stored, and read again byte for byte")
    func record() throws {
        var contents = StoredCredentials(installation: .fresh())
        contents.remember(departed: try account("anna"))
        contents.remember(departed: try account("jörg", server: "https://other.example/ä"))
        let read = try StoredCredentials.readDevice(contents.deviceOctets).contents
        #expect(read == contents && read.departed.count == 2)
    }

    @Test("O-H5: a damaged record is refused at every length")
    func damage() throws {
        var contents = StoredCredentials(installation: .fresh())
        let start = contents.deviceOctets.count - 4
        contents.remember(departed: try account("anna"))
        let octets = contents.deviceOctets
        for count in start..<octets.count {
            #expect(throws: (any Error).self) { try StoredCredentials.readDevice(Array(octets.prefix(count))) }
        }
        #expect(throws: (any Error).self) { try StoredCredentials.readDevice(octets + [0]) }
    }

    @Test("O-H5: one account is remembered once, at most sixteen are, and the oldest go first")
    func limit() throws {
        var contents = StoredCredentials(installation: .fresh())
        for number in 0..<20 { contents.remember(departed: try account("user-\(number)")) }
        contents.remember(departed: try account("user-19"))
        #expect(contents.departed.map(\.owner.user.text) == (4..<20).map { "user-\($0)" })
        contents.forgetDeparted { $0.owner.user.text != "user-7" }
        #expect(contents.departed.count == 1)
        let long = String(repeating: "x", count: 1025)
        let owner = try account("anna").owner
        #expect(DepartedAccount(owner: owner, deviceID: long, recordID: "r", credentials: []) == nil)
    }
}
