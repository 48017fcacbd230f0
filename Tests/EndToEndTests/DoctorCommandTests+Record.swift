import CommandSupport
import DemoCommands
import Foundation
import Testing

/// What the doctor asks a server about one phone: the keys that it holds there, its pushes, and a request.
extension DoctorCommandTests {
    private static let reason = ["--reason", "a test"]
    private static let anyLogin = "authorization: { additional-credential: any-login }\n"

    private func administer(_ command: String, _ arguments: [String] = [], _ names: String...) async throws {
        let outcome = try await installation.server.administer(command, arguments, names: names)
        #expect(outcome.isDone, "\(outcome.message)")
    }

    private func register(_ phone: PhoneProcess, _ arguments: [String]) async throws {
        let outcome = try await phone.run("register", arguments)
        #expect(outcome.isDone, "\(outcome.message)")
    }

    @Test("O-M5: a key that the server has removed is named, one beside it that it still has too")
    func removedKey() async throws {
        try await serving(Self.anyLogin) {
            let (phone, registration) = try await installation.registered("anna")
            #expect(registration.isDone, "\(registration.message)")
            try await register(phone, installation.registration(of: "anna") + ["--authenticator", "password"])
            let before = try await examine(phone)
            #expect(before.isWell && before.verdict("record") == "well")
            #expect(before.says("record", "anna, password (F1D0#1005), is registered"))
            try await administer("credentials remove", ["--user", "anna", "--aaid", "F1D0#1001"] + Self.reason)
            let diagnosis = try await examine(phone)
            #expect(!diagnosis.isWell && diagnosis.verdict("sign-in") == "well")
            #expect(diagnosis.says("record", "The key of anna, pin (F1D0#1001), is no longer registered"))
            #expect(diagnosis.says("record", "The key of anna, password (F1D0#1005), is registered"))
            // Nothing was changed by asking, neither here nor there.
            let again = try await examine(phone)
            #expect(again.says("record", "anna, pin (F1D0#1001), is no longer registered"))
        }
    }

    @Test("O-M5: a phone that was removed at the server, for one of its users or for all, hears that its keys are gone")
    func removedPhone() async throws {
        try await serving {
            let (phone, registration) = try await installation.registered("anna")
            #expect(registration.isDone, "\(registration.message)")
            try await installation.server.addUser("bert", password: Installation.password)
            try await register(phone, installation.registration(of: "bert"))
            try await administer("credentials remove", ["--user", "bert", "--all"] + Self.reason)
            let one = try await examine(phone)
            #expect(!one.isWell && one.says("record", "The key of anna, pin (F1D0#1001), is registered"))
            #expect(one.says("record", "The key of bert, pin (F1D0#1001), is no longer registered"))
            try await administer("credentials remove", ["--user", "anna", "--all"] + Self.reason)
            let all = try await examine(phone)
            #expect(!all.isWell && !all.says("record", "is registered at"))
            #expect(all.says("record", "The key of anna, pin (F1D0#1001), is no longer registered"))
        }
    }

    @Test("O-M5: that a key is switched off or its user locked only a sign-in tells, and the doctor says so")
    func lockedUser() async throws {
        try await serving {
            let (phone, registration) = try await installation.registered("anna")
            #expect(registration.isDone, "\(registration.message)")
            try await administer("credentials disable", ["--user", "anna", "--all"] + Self.reason)
            let disabled = try await examine(phone)
            #expect(
                disabled.isWell
                    && disabled.says("record", "switched off there, or the user locked, only a sign-in tells"))
            try await administer("users lock", Self.reason, "anna")
            let locked = try await examine(phone)
            #expect(locked.isWell && locked.says("record", "or the user locked, only a sign-in tells"))
        }
    }

    @Test("O-M5: a phone that waits for pushes is told when the server sends none, and not when it does")
    func pushes() async throws {
        let sink = try await LocalPushSink(
            program: installation.programs.pushSink, folder: installation.scratch.url.appending(path: "sink"))
        try await serving {
            let phone = try await installation.phone(
                "pushed", ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()])
            let diagnosis = try await examine(phone)
            #expect(diagnosis.isWell && diagnosis.verdict("push") == "weak")
            #expect(diagnosis.says("push", "waits for push messages, and the server sends none"))
            let other = try await examine(try await installation.phone("silent"))
            #expect(other.verdict("push") == nil)
        }
        try await serving("fido-uaf: { dispatchers: [\(sink.dispatcher), { type: png-qr-code }] }\n") {
            let phone = PhoneProcess(
                program: installation.programs.phone, folder: installation.scratch.url.appending(path: "pushed"),
                logs: installation.scratch.url)
            let diagnosis = try await examine(phone)
            #expect(diagnosis.isWell && diagnosis.verdict("push") == nil)
        }
        await sink.stop()
    }

    @Test(
        "O-M5: a server that asks to slow down is weak, and what could not be looked at is not told",
        .timeLimit(.minutes(10)))
    func request() async throws {
        // The list of applications takes the only request of the address; the next one is refused, unless the machine is
        // so slow that a second goes by between them.
        try await serving("server: { rate-limit: { per-address: { per-second: 1, burst: 1 } } }\n") {
            var diagnosis = try await examine()
            while diagnosis.verdict("request") == nil { diagnosis = try await examine() }
            #expect(diagnosis.isWell && diagnosis.verdict("request") == "weak" && diagnosis.says("request", "429"))
            #expect(diagnosis.verdict("policy") == nil)
        }
        try await serving {
            let diagnosis = try await examine()
            #expect(diagnosis.verdict("request") == nil && diagnosis.verdict("policy") == "well")
        }
    }
}
