import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite(
    "A phone that is killed between any two writes", .serialized,
    .enabled(if: KilledPhone.isPossible, "strace or taskset is missing: run script/bootstrap"))
struct PhoneCrashTests {
    @Test("A registration that was cut short stands, or can be made again")
    func registration() async throws {
        let stage = try await Stage()
        var kills = 0
        try await KilledPhone.everyCut { cut in
            let user = "cut-\(cut.systemCall)-\(cut.count)"
            try await stage.installation.server.addUser(user, password: Installation.password)
            let phone = try await stage.installation.phone("phone-of-\(user)")
            let outcome = try await KilledPhone(phone: phone)
                .run("register", stage.installation.registration(of: user), until: cut)
            if let outcome {
                #expect(outcome.isDone, "\(cut): \(outcome.message)")
                return false
            }
            kills += 1
            var signedIn = try await stage.installation.authenticate(phone, user)
            if !signedIn.isDone {
                let again = try await stage.installation.register(phone, user)
                #expect(again.isDone, "\(cut): \(again.message)")
                signedIn = try await stage.installation.authenticate(phone, user)
            }
            #expect(signedIn.isDone, "\(cut): \(signedIn.message)")
            return true
        }
        #expect(kills > 3, "the phone hardly wrote anything")
        await stage.end()
    }

    @Test("An authentication that was cut short leaves a phone that can sign in")
    func authentication() async throws {
        let stage = try await Stage()
        let (phone, registration) = try await stage.installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        var kills = 0
        try await KilledPhone.everyCut { cut in
            let outcome = try await KilledPhone(phone: phone)
                .run("authenticate", stage.installation.authentication(of: "anna"), until: cut)
            let signedIn = try await stage.installation.authenticate(phone, "anna")
            #expect(signedIn.isDone, "\(cut): \(signedIn.message)")
            kills += outcome == nil ? 1 : 0
            return outcome == nil
        }
        #expect(kills > 1, "the phone hardly wrote anything")
        await stage.end()
    }

    @Test("A deregistration that was cut short can be finished, and the phone registered anew")
    func deregistration() async throws {
        let stage = try await Stage()
        var kills = 0
        try await KilledPhone.everyCut { cut in
            let user = "cut-\(cut.systemCall)-\(cut.count)"
            let (phone, registration) = try await stage.installation.registered(user)
            #expect(registration.isDone, "\(registration.message)")
            let arguments = stage.installation.authentication(of: user)
            guard try await KilledPhone(phone: phone).run("deregister", arguments, until: cut) == nil else {
                return false
            }
            kills += 1
            if try await !phone.run("deregister", arguments).isDone {
                // The server has finished already: what is left is on the phone alone.
                _ = try await phone.run("delete-local", ["--user", user])
            }
            let again = try await stage.installation.register(phone, user)
            #expect(again.isDone, "\(cut): \(again.message)")
            return true
        }
        #expect(kills > 1, "the phone hardly wrote anything")
        await stage.end()
    }

    /// A server that runs.
    private struct Stage {
        let installation: Installation
        private let process: ChildProcess

        init() async throws {
            installation = try Installation()
            process = try await installation.server.start()
        }

        func end() async {
            process.stop()
            _ = await process.ending()
        }
    }
}
