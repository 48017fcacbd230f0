import TestSupport
import Testing

/// A process that knows only the service folder of the system, and finds ours there.
@Suite(
    "Device passcode through PAM (4.2), in a process that takes our services for the system's",
    .enabled(if: PAMStage.isInstalled, "\(PAMStage.absence)"))
struct WrappedPAMTests {
    private let stage: PAMStage

    init() throws {
        stage = try PAMStage()
    }

    /// What a process says that checks `passcode` against a service.
    private func verdict(on passcode: [UInt8], of service: String = "signet") throws -> [String] {
        let ending = try BuiltProgram("PasscodeChild").run(
            [service, stage.folder], environment: stage.environment, input: passcode)
        #expect(ending.status == 0)
        return ending.output.split(separator: "\n").map(String.init)
    }

    private func verdict(on passcode: String, of service: String = "signet") throws -> [String] {
        try verdict(on: Array(passcode.utf8), of: service)
    }

    @Test("The right passcode passes and a wrong one does not")
    func rightAndWrong() throws {
        try stage.add("signet", taking: "Grüezi 🌲 correct")
        #expect(try verdict(on: "Grüezi 🌲 correct") == ["passed devicePasscode"])
        #expect(try verdict(on: "Grüezi 🌲 wrong") == ["refused mismatch"])
        #expect(try verdict(on: "grüezi 🌲 correct") == ["refused mismatch"])
    }

    @Test("After three wrong ones the module that counts takes the right one no more")
    func lockedOut() throws {
        let counter = "dir=$FOLDER deny=3 even_deny_root fail_interval=900"
        try stage.add(
            "signet",
            "auth [success=1 default=ignore] pam_faillock.so preauth silent \(counter)",
            "auth requisite pam_debug.so auth=maxtries",
            "auth [success=1 default=bad] $MATRIX",
            "auth [default=die] pam_faillock.so authfail \(counter)",
            "auth sufficient pam_faillock.so authsucc \(counter)",
            "account required $MATRIX")
        try stage.setPassword("right", at: "signet")
        #expect(try verdict(on: "right") == ["passed devicePasscode"])
        for _ in 0..<3 { #expect(try verdict(on: "wrong") == ["refused mismatch"]) }
        #expect(try verdict(on: "right") == ["refused lockedOut"])
    }

    @Test("An account that the modules do not know has no passcode")
    func unknownAccount() throws {
        try stage.add("signet", "auth required pam_debug.so auth=user_unknown", "account required $MATRIX")
        #expect(
            try verdict(on: "right").last == "refused unavailable")
        try stage.add("signet", taking: "right")
        try stage.setPassword("right", of: "another-user", at: "signet")
        #expect(try verdict(on: "right") == ["refused mismatch"])
    }

    @Test("A service that is not there is told by name, before the user is asked")
    func missingService() throws {
        #expect(
            try verdict(on: "right", of: "absent") == [
                "problem: There is no PAM service absent. Install packaging/pam/signet as /etc/pam.d/absent.",
                "refused unavailable",
            ])
    }

    @Test(
        "An expired passcode or account is told after the right passcode",
        arguments: ["new_authtok_reqd", "acct_expired"])
    func expired(_ answer: String) throws {
        try stage.add("signet", "auth required $MATRIX", "account required pam_debug.so acct=\(answer)")
        try stage.setPassword("right", at: "signet")
        #expect(
            try verdict(on: "right") == [
                "problem: The passcode or the account has expired. Change the passcode with passwd.",
                "refused unavailable",
            ])
        #expect(try verdict(on: "wrong") == ["refused mismatch"])
    }

    @Test("An empty passcode never passes")
    func emptyPasscode() throws {
        try stage.add("signet", taking: "right")
        #expect(try verdict(on: "") == ["refused mismatch"])
    }

    @Test("Control characters are refused, also those behind which a module would stop reading")
    func controlCharacters() throws {
        try stage.add("signet", taking: "right")
        for passcode in ["right\0", "right\0wrong", "right\n", "\tright", "rig\u{7f}ht", "\u{1b}[Aright"] {
            #expect(try verdict(on: passcode) == ["refused mismatch"])
        }
    }

    @Test("A passcode as long as PAM takes passes; a longer one is refused")
    func longPasscode() throws {
        let longest = String(repeating: "x", count: 500)
        try stage.add("signet", taking: longest)
        #expect(try verdict(on: longest) == ["passed devicePasscode"])
        #expect(try verdict(on: longest + "x") == ["refused mismatch"])
        #expect(try verdict(on: String(repeating: "x", count: 512)) == ["refused mismatch"])
        #expect(try verdict(on: [UInt8](repeating: 0x78, count: 50_000)) == ["refused mismatch"])
    }
}
