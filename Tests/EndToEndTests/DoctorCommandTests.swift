import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("signet doctor: could this phone register and sign in here?", .serialized)
struct DoctorCommandTests {
    /// What the doctor found, by the names of its checks; the gravest of several with one name.
    struct Diagnosis {
        let isWell: Bool
        private let checks: [JSONObject]

        init(_ outcome: CommandOutcome) {
            isWell = outcome.isDone
            checks = outcome.result.objects("checks")
            let ill = checks.filter { $0.text("verdict") == "ill" }
            #expect(!checks.isEmpty, "\(outcome.message)")
            #expect(outcome.answer["ok"] == .bool(ill.isEmpty) && outcome.code == (ill.isEmpty ? 0 : 1))
            for check in checks {
                #expect(check["ok"] == .bool(check.text("verdict") != "ill"))
                #expect((check.text("advice") == nil) == (check.text("verdict") == "well"), "\(check)")
            }
        }

        func verdict(_ name: String) -> String? {
            let verdicts = checks.filter { $0.text("name") == name }.compactMap { $0.text("verdict") }
            return ["ill", "weak", "well"].first(where: verdicts.contains)
        }

        func says(_ name: String, _ text: String) -> Bool {
            checks.contains { $0.text("name") == name && $0.text("observation")?.contains(text) == true }
        }
    }

    let installation: Installation
    private var server: LocalServer { installation.server }

    init() throws {
        installation = try Installation()
    }

    /// Runs a server with settings for the length of `body`.
    func serving(
        _ settings: String = "", environment: [String: String] = [:], _ body: () async throws -> Void
    ) async throws {
        try server.configure(settings)
        let process = try await server.start(environment: environment)
        defer { process.kill() }
        try await body()
        process.stop()
        #expect(await process.ending().code == 0)
    }

    func examine(_ arguments: [String] = []) async throws -> Diagnosis {
        let process = try ChildProcess(
            installation.programs.phone,
            ["doctor", "--format", "json", "--server", server.address, "--ca", server.authorityFile.path()] + arguments,
            folder: installation.scratch.url, name: "doctor-\(UUID().uuidString.prefix(8))")
        return Diagnosis(try CommandOutcome(await process.ending()))
    }

    func examine(_ phone: PhoneProcess) async throws -> Diagnosis {
        try await examine(["--device", phone.folder.path()])
    }

    @Test(
        "O-M5: nothing is in the way of a phone that the server takes, and of its key; without a phone families count")
    func good() async throws {
        try await serving {
            let (phone, registration) = try await installation.registered("anna")
            #expect(registration.isDone, "\(registration.message)")
            let diagnosis = try await examine(phone)
            #expect(diagnosis.isWell)
            for name in ["flavor", "app-id", "facets", "policy", "sign-in", "record", "keys", "dispatchers"] {
                #expect(diagnosis.verdict(name) == "well", "\(name)")
            }
            #expect(diagnosis.says("policy", "pin (F1D0#1001)") && diagnosis.says("sign-in", "anna"))
            #expect(diagnosis.says("record", "The key of anna, pin (F1D0#1001), is registered"))
            // The phone knows its server and whom it trusts.
            let own = try ChildProcess(
                installation.programs.phone, ["doctor", "--device", phone.folder.path(), "--format", "json"],
                folder: installation.scratch.url, name: "doctor-of-phone")
            #expect(Diagnosis(try CommandOutcome(await own.ending())).isWell)
            let any = try await examine()
            #expect(any.isWell && any.says("policy", "families ios, android, linux."))
        }
    }

    @Test("O-M5: a policy that accepts no model of the phone is ill, one that accepts another family only too")
    func policy() async throws {
        let phone = try await phoneOfAnna()
        try await serving("fido-uaf: { policies: { default: { accepted: [\"FFFF#9999\"] } } }\n") {
            for diagnosis in [try await examine(), try await examine(phone)] {
                #expect(!diagnosis.isWell && diagnosis.verdict("policy") == "ill")
                #expect(diagnosis.says("policy", "FFFF#9999"))
            }
        }
        try await serving("fido-uaf: { policies: { default: { accepted: [\"F1D0#0001\"] } } }\n") {
            #expect(try await examine(["--profile", "android"]).verdict("policy") == "well")
            let other = try await examine(["--profile", "ios"])
            #expect(!other.isWell && other.verdict("policy") == "ill")
            #expect(try await examine().says("policy", "families android."))
        }
        try await serving("fido-uaf: { policies: { default: { accepted: [\"F1D0#1001 + F1D0#1005\"] } } }\n") {
            let diagnosis = try await examine(phone)
            #expect(diagnosis.says("policy", "F1D0#1001 together with F1D0#1005"))
        }
    }

    @Test("O-M5: a model that is accepted and not set up, and one that was revoked since, are told apart")
    func models() async throws {
        let phone = try await phoneOfAnna()
        try await serving("fido-uaf: { policies: { default: { accepted: [\"F1D0#1003\"] } } }\n") {
            let diagnosis = try await examine(phone)
            #expect(!diagnosis.isWell && diagnosis.says("policy", "not set up: face (F1D0#1003)"))
            #expect(diagnosis.verdict("sign-in") == "ill")
        }
        try await serving("fido-uaf: { revoked-aaids: [\"F1D0#1001\"] }\n") {
            let diagnosis = try await examine(phone)
            #expect(diagnosis.verdict("policy") == "well" && diagnosis.verdict("sign-in") == "ill")
            #expect(!diagnosis.isWell && !diagnosis.says("policy", "F1D0#1001") && diagnosis.says("sign-in", "anna"))
        }
        try await serving(
            "fido-uaf: { revoked-aaids: [\"F1D0#1001\", \"F1D0#1002\", \"F1D0#1003\", \"F1D0#1004\", \"F1D0#1005\"] }\n"
        ) {
            let diagnosis = try await examine(phone)
            #expect(diagnosis.says("policy", "disallowed or revoked"))
        }
    }

    @Test("O-M5: an AppID elsewhere is well when its list is there, and ill when phones find none")
    func application() async throws {
        try await serving {}
        let path = "/nevisfido/uaf/1.1/facets"
        try await serving("fido-uaf: { app-id: \"https://localhost:\(server.port)\(path)\" }\n") {
            let diagnosis = try await examine()
            #expect(
                diagnosis.isWell && diagnosis.verdict("app-id") == "well" && diagnosis.says("app-id", "another address")
            )
        }
        // Where nothing listens, and where something else is.
        for address in ["https://127.0.0.1:1\(path)", "https://127.0.0.1:\(server.port)/.well-known/jwks.json"] {
            try await serving("fido-uaf: { app-id: \"\(address)\" }\n") {
                let diagnosis = try await examine()
                #expect(!diagnosis.isWell && diagnosis.verdict("app-id") == "ill" && diagnosis.says("app-id", address))
            }
        }
    }

    @Test("O-M5: an application that the server does not trust is named, the phone's too")
    func facets() async throws {
        try await serving {
            #expect(try await examine(["--facet", "ios:bundle-id:org.signet.demo"]).verdict("facets") == "well")
            let stranger = try await examine(["--facet", "ios:bundle-id:org.example.other"])
            #expect(!stranger.isWell && stranger.says("facets", "ios:bundle-id:org.example.other"))
            let phone = try await installation.phone("other", ["--bundle-id", "org.example.other"])
            let diagnosis = try await examine(phone)
            #expect(!diagnosis.isWell && diagnosis.says("facets", "ios:bundle-id:org.example.other"))
        }
    }

    @Test("O-M5: a server without dispatchers is weak, and weaker without a password login")
    func dispatchers() async throws {
        try await serving("fido-uaf: { dispatchers: [] }\n") {
            let diagnosis = try await examine()
            #expect(diagnosis.isWell && diagnosis.verdict("dispatchers") == "weak")
            #expect(diagnosis.says("dispatchers", "password login only"))
        }
        let off = ["SIGNET_SERVER_PASSWORD_LOGIN_ENABLED": "false"]
        try await serving("fido-uaf: { dispatchers: [] }\n", environment: off) {
            let diagnosis = try await examine()
            #expect(diagnosis.says("dispatchers", "no password login: no phone can be invited"))
        }
        try await serving("fido-uaf: { dispatchers: [{ type: png-qr-code }] }\n", environment: off) {
            let diagnosis = try await examine()
            #expect(diagnosis.verdict("dispatchers") == "well" && diagnosis.says("dispatchers", "phones: png-qr-code."))
        }
    }

    @Test("O-M5: a server that is not there is exit code 1, a folder that is no phone 2, and nothing asked for 64")
    func codes() async throws {
        try await serving {}
        let absent = try await examine(["--profile", "ios"])
        #expect(!absent.isWell && absent.verdict("connection-refused") == "ill")
        for (arguments, code) in [(["--device", "/nonexistent"], Int32(2)), ([], 64)] {
            let ending = try await ChildProcess(
                installation.programs.phone, ["doctor"] + arguments, folder: installation.scratch.url,
                name: "doctor-\(code)"
            ).ending()
            #expect(ending.code == code)
        }
    }

    /// A phone with the key of a user, registered under the usual policy.
    private func phoneOfAnna() async throws -> PhoneProcess {
        var phone: PhoneProcess?
        try await serving {
            let (registered, outcome) = try await installation.registered("anna")
            #expect(outcome.isDone, "\(outcome.message)")
            phone = registered
        }
        return try #require(phone)
    }
}
