import DemoCommands
import DeviceCommands
import Foundation
import Testing

/// `docs/operate/operations.md`: what a help desk types, and what phones notice of it.
extension FirstTrialTests {
    private typealias Play = (String, [TrialFolder.Step])

    private static let list = "signet-server devices list --user jeff"
    private static let payment =
        "signet-server dispatch authenticate -m payment --transaction-file payment.txt --wait 120 --target 5Gx0..."
    private static let devices: Play = (
        list, [.shows("DEVICE"), .shows("Jeff's phone"), .shows("F1D0#1001")]
    )
    private static let invitation: Play = (
        "signet-server dispatch register --user jeff --out invitation.png -m 'a new phone'",
        [.shows("invitation.png"), .shows("dispatch status")]
    )
    private static let removal: Play = (
        "signet-server devices remove --user jeff --name \"Jeff's phone\" -m \"lost on a train\"",
        [.shows("Removed the phone with 1 key."), .shows("F1D0#1001")]
    )
    private static let installing = [
        "apt-get install ./signet-server_*.deb",
        "runuser -u signet -- signet-server config check --config /etc/signet/signet.yaml",
        "systemctl enable --now signet-server",
    ]

    private static let metrics =
        "curl --cacert management.pem --resolve signet.internal:9089:127.0.0.1 https://signet.internal:9089/metrics "
    private static let management = [
        "curl --unix-socket /run/signet/management.sock http://localhost/nevisfido/health",
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=signet.internal "
            + "-addext subjectAltName=DNS:signet.internal -addext extendedKeyUsage=serverAuth -keyout management.key "
            + "-out management.pem",
        "openssl rand -hex 32 > management.token && chmod 600 management.token management.key",
        "signet-server serve --config signet.yml --data-directory data",
        "curl --insecure https://127.0.0.1:9089/nevisfido/health", metrics + "--include",
        metrics + "--header \"Authorization: Bearer $(cat management.token)\"",
    ]

    /// Makes a phone of jeff from an invitation.
    private static func arrival(_ phone: String, named name: String, by picture: String) -> [Play] {
        [
            (
                "signet device init --device \(phone) --server https://127.0.0.1:8443 --ca push-trial/tls/ca.pem "
                    + "--keys software --push-sink https://127.0.0.1:9443 --push-ca push-sink/tls/ca.pem "
                    + "--name \"\(name)\"", []
            ),
            ("signet device scan --device \(phone) \(picture)", newPIN + [.shows("jeff is registered")]),
        ]
    }

    @Test("O-H2: what docs/operate/operations.md says to type at the help desk does it", .timeLimit(.minutes(10)))
    func operations() async throws {
        let document = try DocumentedCommands("docs/operate/operations.md")
        expectCovered(
            document,
            played: [Self.payment, Self.devices.0, Self.invitation.0, Self.removal.0],
            left: Dictionary(
                uniqueKeysWithValues: Self.installing.map { ($0, "script/maintain/package-check installs as root") }
                    + Self.management.map { ($0, "ManagementListenerTests and ManagementSocketTests ask the same") }))
        let folder = try await helpDesk()
        try await play([Self.devices], in: folder)
        folder.replacements["5Gx0..."] = try await target(in: folder)
        try await pay(in: folder)
        try await play([Self.invitation], in: folder)
        try await play(Self.arrival("second", named: "New phone", by: "invitation.png"), in: folder)
        // What waits for the lost phone is called off, and only its keys are gone.
        let waiting = try await folder.start(Self.payment, [.shows("Type on the phone:")])
        try await play([Self.removal], in: folder)
        #expect(waiting.ending() == 1)
        #expect(try await signIn("phone", in: folder) != 0)
        #expect(try await signIn("second", in: folder) == 0)
        // As the document says of ids that begin with a hyphen.
        let id = try await target(in: folder)
        folder.replacements["5Gx0..."] = id.hasPrefix("-") ? "-- " + id : id
        try await play(
            [
                ("signet-server devices unset-push -m why 5Gx0...", []),
                ("signet-server credentials remove --user jeff --aaid F1D0#1001 -m lost", []),
            ], in: folder)
        #expect(try await signIn("second", in: folder) != 0)
        try folder.closeAll()
    }

    @Test("O-H2: what the table of docs/operate/operations.md says to do when something happened does it")
    func table() async throws {
        let folder = try await helpDesk()
        let keys = "signet-server credentials disable --user jeff --device \"Jeff's phone\" -m why"
        try await play([(keys, [.shows("F1D0#1001")])], in: folder)
        #expect(try await signIn("phone", in: folder) != 0)
        try await play([(keys.replacing("disable", with: "enable"), [.shows("F1D0#1001")])], in: folder)
        #expect(try await signIn("phone", in: folder) == 0)
        try await play(
            [
                ("signet-server users set-password jeff --password-file pin -m why", []),
                ("signet-server sessions end --user jeff -m why", [.shows("Ended all sessions and tokens of jeff.")]),
            ], in: folder)
        #expect(try await signIn("phone", in: folder) == 0)
        try await play([("signet-server users lock jeff -m why", [])], in: folder)
        #expect(try await signIn("phone", in: folder) != 0)
        try await play([("signet-server users unlock jeff -m why", [])], in: folder)
        #expect(try await signIn("phone", in: folder) == 0)
        try await play([("signet-server users remove jeff -m why", [])], in: folder)
        #expect(try await signIn("phone", in: folder) != 0)
        try folder.closeAll()
    }

    /// A running installation with jeff, who has one phone.
    ///
    /// Readers have their configuration where the server looks without being told; here a wrapper tells. `sections` are
    /// further ones of it.
    func helpDesk(_ sections: String = "") async throws -> TrialFolder {
        let folder = try TrialFolder()
        try await folder.open("signet-push-sink --data-directory push-sink", [.shows("ready")])
        for (name, text) in try DocumentedCommands("docs/start/phone.md").files {
            try folder.save(text + sections, as: name)
        }
        try folder.configure(by: "push.yml")
        try Data("Pay 10 EUR to Ben".utf8).write(to: folder.url("payment.txt"))
        try PrivateFile(path: folder.url("pin").path()).write(Self.pin)
        try await folder.open("signet-server serve", [.shows("Signet answers at")])
        try await play([("signet-server users add jeff --invite --out code.png -m 'first day'", [])], in: folder)
        try await play(Self.arrival("phone", named: "Jeff's phone", by: "code.png"), in: folder)
        return folder
    }

    /// The exit code of a sign-in.
    func signIn(_ phone: String, in folder: TrialFolder) async throws -> Int32 {
        try await folder.run("signet device authenticate --device \(phone) --user jeff --pin-file pin", [])
    }

    /// The id that stands first in the list of targets.
    private func target(in folder: TrialFolder) async throws -> String {
        let targets = try await folder.start(Self.list, [.shows("\n")])
        let line = try await targets.expect("\n")
        return line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    private func pay(in folder: TrialFolder) async throws {
        let asked = try await folder.start(Self.payment, [.shows("Type on the phone:")])
        let digits = try await asked.expect("\n").filter(\.isNumber)
        try await play(
            [
                (
                    "signet device approve --device phone",
                    [
                        .shows("Pay 10 EUR to Ben"), .asks("tell the server] ", "y"),
                        .asks("digits on the other screen", digits), .asks("PIN: ", Self.pin), .shows("Confirmed"),
                    ]
                )
            ], in: folder)
        try await asked.expect("succeeded")
        #expect(asked.ending() == 0)
    }
}
