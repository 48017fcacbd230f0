import BackendAPI
import Testing
import UAF

@testable import UAFClient

@Suite("What this device and one server know of each other")
struct DeviceComparisonTests {
    private let phone: PlainPhone
    private let keys: [LocalCredential]

    init() throws {
        phone = try PlainPhone()
        keys = [
            try phone.credential(1), try phone.credential(2, username: UserName("anna")),
            try phone.credential(3, username: UserName("bob"), server: phone.other),
        ]
    }

    private var full: DeviceSnapshot { phone.device(keys, records: [("1", "jeff"), ("2", "anna"), ("3", "bob")]) }

    private func findings(
        _ device: DeviceSnapshot, _ accounts: [DeviceCredentials.Account]
    ) throws -> [DeviceComparison.Finding] {
        DeviceComparison(device, phone.server, try phone.report(accounts)).findings
    }

    @Test("The six mismatches, each found where it is and with what it is about")
    func six() throws {
        let stranger = try phone.credential(9)
        let found = try findings(
            full, [try phone.account(stranger, "1", name: "other"), try phone.account(stranger, "99")])
        #expect(found.contains(.credentialOnlyThere(stranger.id, keys[0].username)))
        #expect(found.contains(.credentialOnlyHere(keys[0].id, keys[0].username)))
        #expect(found.contains(.targetOnlyThere("99", keys[0].username)))
        #expect(found.contains(.targetOnlyHere("2", keys[1].username)))
        #expect(found.contains { if case .name = $0 { true } else { false } })
        let tokens = try findings(
            full,
            [try phone.account(keys[0], "1", token: nil), try phone.account(keys[1], "2", token: "user-disabled")])
        guard case .pushToken(nil, "t"?, let targets)? = tokens.first, tokens.count == 1 else {
            Issue.record("\(tokens)")
            return
        }
        #expect(targets.map(\.identifier) == ["1", "2"])
    }

    @Test("Pending keys, other servers' keys and accounts that the server does not list are left alone")
    func leftAlone() throws {
        let pending = try phone.credential(8, .pending)
        let device = phone.device(keys + [pending], records: [("1", "jeff")])
        let listed = try phone.account(keys[0], "1")
        let both = DeviceCredentials.Account(
            username: listed.username, target: listed.target,
            credentials: listed.credentials + [DeviceCredentials.Credential(pending.id, state: .active)])
        #expect(try findings(device, [listed]).isEmpty)
        #expect(try findings(device, [both]).isEmpty)
        // Only credentials are left of the account at the server: nothing to compare a record with.
        #expect(try findings(device, [try phone.account(keys[0], nil)]) == [.targetOnlyHere("1", keys[0].username)])
    }

    @Test("A key that the server has under no record is not missing there, and none of those is missing here")
    func unassigned() throws {
        let stranger = try phone.credential(9)
        let device = phone.device([keys[0]], records: [("1", "jeff")])
        let target = try phone.account(keys[0], "1").target
        let listed = DeviceCredentials.Account(
            username: keys[0].username, target: target, credentials: [], unassigned: [keys[0].id, stranger.id])
        #expect(try findings(device, [listed]).isEmpty)
        let unknown = DeviceCredentials.Account(
            username: keys[0].username, target: target, credentials: [], unassigned: [stranger.id])
        #expect(try findings(device, [unknown]) == [.credentialOnlyHere(keys[0].id, keys[0].username)])
    }

    @Test("Mismatches are compared byte by byte: texts that only look the same are two")
    func octets() {
        let composed = DeviceMismatch.name(there: "caf\u{E9}", here: "phone", phone.server)
        let decomposed = DeviceMismatch.name(there: "cafe\u{301}", here: "phone", phone.server)
        #expect(composed != decomposed)
        #expect(composed == .name(there: "caf\u{E9}", here: "phone", phone.server))
        #expect(composed != .name(there: "caf\u{E9}", here: "phone", phone.other))
    }
}
