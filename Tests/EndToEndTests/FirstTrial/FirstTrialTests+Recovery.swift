import Foundation
import Testing

/// `docs/operate/recovery.md`: what a person types who has lost a PIN, a key or a phone.
extension FirstTrialTests {
    private typealias Play = (String, [TrialFolder.Step])

    private static func invitation(_ file: String) -> Play {
        (
            "signet-server dispatch register --user anna --out \(file) -m 'a lost phone' --data-directory trial",
            [.shows(file), .shows("dispatch status")]
        )
    }

    private static let lockedPIN: [Play] = [
        ("signet device deregister --device phone --user anna --jws", [.shows("anna is no longer registered")]),
        invitation("again.png"),
        ("signet device scan --device phone again.png", newPIN + [.shows("anna is registered on this phone.")]),
    ]
    private static let signIn: Play = (
        "signet device authenticate --device phone --user anna", [.asks("PIN: ", pin), .shows("anna is signed in")]
    )
    private static let deletion: [Play] = [
        ("signet device delete-local --device phone --user anna", [.shows("The server still has its records")]),
        ("signet device check --device phone", [.shows("a sign-in method of this device that is gone here")]),
        ("signet device sync --device phone --remove", [.shows("Mended:")]),
    ]
    private static let secondPhone: [Play] = [
        invitation("second.png"),
        (
            "signet device init --device second --server https://127.0.0.1:8443 --ca trial/tls/ca.pem --keys software "
                + "--name Second", [.shows("A phone is in second.")]
        ),
        ("signet device scan --device second second.png", newPIN + [.shows("anna is registered on this phone.")]),
    ]
    private static let lostPhone: [Play] = [
        ("signet-server devices list --user anna --data-directory trial", [.shows("Second")]),
        (
            "signet-server devices remove --user anna --name Second -m 'lost on a train' --data-directory trial",
            [.shows("Removed the phone with 1 key.")]
        ),
    ]

    @Test("O-H5, O-H6: what docs/operate/recovery.md says to type leads back to a sign-in", .timeLimit(.minutes(10)))
    func recovery() async throws {
        let plays = Self.lockedPIN + [Self.signIn] + Self.deletion + Self.secondPhone + Self.lostPhone
        expectCovered(try DocumentedCommands("docs/operate/recovery.md"), played: plays.map(\.0), left: [:])
        let folder = try TrialFolder()
        try await folder.open(Self.serve, [.shows("Signet answers at")])
        try await play(Self.welcome + plays, in: folder)
        let lost = try await folder.run("signet device authenticate --device second --user anna", [])
        #expect(lost == 1)
        #expect(try folder.close(Self.serve) == 0)
    }
}
