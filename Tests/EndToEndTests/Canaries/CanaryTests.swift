import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(
    "SDK-15: secrets stay out of recordings, logs, errors, audit, database and arguments", .serialized,
    .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct CanaryTests {
    /// The files that hold secrets on purpose, by the end of their path, with the kinds of them.
    ///
    /// Only what a command says to the person who has asked for it, what is given to a program, what a program keeps for itself.
    private static func homes(of path: String) -> Set<HarvestedSecret.Kind> {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return switch name {
        case "pin", "new-pin", "wrong-pin": [.pin]
        case "token": [.bearer]
        case "digits": [.digits]
        case "link": [.link, .redeemToken, .sealedPayload]
        case "push-message": [.sealedPayload]
        case "portal.key": [.accessKey]
        case "push.json": [.pushToken]
        case "device-key", "master.key", "ca.key", "server.key": [.key]
        // The address of a phone has to be known to the sender of messages.
        case "signet.sqlite", "signet.sqlite-wal": [.pushToken]
        case _ where name.hasPrefix("password-of-"): [.password]
        case _ where name.hasPrefix("dispatch-") && name.hasSuffix(".out"):
            [.link, .redeemToken, .digits, .sealedPayload]
        default: []
        }
    }

    @Test("D-H2: nothing that any program wrote in any story holds a secret, and no process was given one")
    func everyStory() async throws {
        let stage = try await CanaryStage()
        try await stage.playSDK()
        try await stage.playPrograms()
        let arguments = try await stage.end()
        let secrets = stage.harvest.secrets
        for kind in HarvestedSecret.Kind.allCases {
            #expect(secrets.contains { $0.kind == kind }, "the run has no \(kind)")
        }
        let search = SecretSearch(for: secrets)
        var written: [String: [UInt8]] = [:]
        for folder in stage.folders { written.merge(try files(under: folder)) { one, _ in one } }
        var homes: Set<String> = []
        for (path, octets) in written {
            let (found, allowed) = (search.kinds(in: octets), Self.homes(of: path))
            let stray = found.subtracting(allowed).map(\.rawValue).sorted()
            #expect(stray.isEmpty, "\(path) holds \(stray.joined(separator: ", "))")
            if !found.isEmpty { homes.insert(path) }
        }
        // The search finds what it looks for where it has to be.
        #expect(homes.count >= 20, "\(homes.sorted())")
        try expectEverythingIsThere(written)
        expectNothing(of: search, inArguments: arguments)
    }

    /// The recordings, logs and files that the search is about.
    private func expectEverythingIsThere(_ written: [String: [UInt8]]) throws {
        let texts = written.mapValues { String(decoding: $0, as: UTF8.self) }
        func count(_ isOne: (String) -> Bool) -> Int { written.keys.count(where: isOne) }
        let recordings = (count { $0.contains("recordings-of-anna/") }, count { $0.contains("recordings-of-bert-") })
        #expect(recordings.0 > 20 && recordings.1 > 10, "\(recordings)")
        #expect(texts.contains { $0.key.contains("/server-") && $0.value.contains(#""level":"trace""#) })
        #expect(texts.contains { $0.key.hasSuffix("sdk.log") && $0.value.contains("TokenAlreadyRedeemed") })
        #expect(count { $0.contains("audit-export-") && $0.hasSuffix(".out") } == 1)
        #expect(count { $0.hasSuffix("signet.sqlite") } == 1 && count { $0.hasSuffix(".sst") } > 0)
        #expect(count { $0.split(separator: "/").last?.hasPrefix("core") == true } == 0)
    }

    private func expectNothing(of search: SecretSearch, inArguments lines: [[UInt8]]) {
        let words = lines.map { $0.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        for command in ["serve", "register", "approve", "open", "scan", "deregister", "export"] {
            #expect(words.contains { $0.contains(command) }, "no process \(command) was seen")
        }
        #expect(words.contains { $0.first?.hasSuffix("/signet-push-sink") == true }, "no push sink was seen")
        for (line, words) in zip(lines, words) {
            let kinds = search.kinds(in: line).map(\.rawValue).sorted()
            #expect(kinds.isEmpty, "\(words.prefix(3)) was given \(kinds.joined(separator: ", "))")
        }
    }

    @Test("The demonstration gives no process a link, a token or digits")
    func demonstration() async throws {
        let folder = try CommandSupport.TemporaryFolder(named: "signet-demo-arguments")
        let watch = ArgumentWatch()
        let demo = try ChildProcess(
            try Installation.builtPrograms().phone, ["demo", "out-of-band", "--format", "json"], folder: folder.url,
            name: "demo")
        let ending = await demo.ending()
        #expect(ending.code == 0, "\(ending.output)")
        let words = watch.end().map { $0.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
        #expect(words.contains { $0.contains("open") } && words.contains { $0.contains("--digits-file") })
        for word in words.joined() {
            #expect(!word.contains("dispatchTokenResponse="), "a link is an argument")
            let isNumber = word.allSatisfy(\.isNumber) && word.utf8.count == 2
            #expect(!isNumber || word == "20", "digits are an argument: \(word)")
            #expect(!HarvestedSecret.isCompact(word), "a token is an argument")
        }
    }

    // MARK: - The search itself

    @Test("A process that has the arguments of its parent at first is seen with its own, too", .timeLimit(.minutes(5)))
    func startedByOneOfOurs() async throws {
        let folder = try CommandSupport.TemporaryFolder(named: "signet-argument-watch")
        let pipe = folder.url.appending(path: "pipe").path()
        try #require(mkfifo(pipe, 0o600) == 0)
        // Both have the name of our program. The child waits for a word between its fork and its exec.
        let parent = "trap 'kill $!' TERM; (read < '\(pipe)'; exec -a /signet sleep 600) & wait"
        let watch = ArgumentWatch()
        let process = try ChildProcess(
            URL(filePath: "/bin/bash"), ["-c", "exec -a /signet bash -c \"$0\"", parent], folder: folder.url,
            name: "parent")
        func seen(_ count: Int, _ line: [String]) async throws {
            let line = Array(line.joined(separator: "\0").utf8) + [0]
            while watch.lines.count(where: { $0 == line }) < count { try await Task.sleep(for: .milliseconds(10)) }
        }
        try await seen(2, ["/signet", "-c", parent])
        try Data("go\n".utf8).write(to: URL(filePath: pipe))
        try await seen(1, ["/signet", "600"])
        process.stop()
        _ = await process.ending()
        _ = watch.end()
    }

    @Test("Each kind of secret is found in every spelling, whole or as the part of a token that tells it from others")
    func spellings() {
        let key: [UInt8] = Array(0..<32)
        let token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLW9mLWEtY2FuYXJ5"
        let search = SecretSearch(for: [
            HarvestedSecret(.bearer, token), HarvestedSecret(.key, octets: key),
            HarvestedSecret(.pushToken, "abc:d/e+f1"),
            HarvestedSecret(.pin, "483920"),
        ])
        #expect(search.kinds(in: Array("\"\(token)\"".utf8)) == [.bearer])
        #expect(search.kinds(in: Array("c2lnbmF0dXJlLW9mLWEtY2FuYXJ5".utf8)) == [.bearer])
        #expect(search.kinds(in: Array("eyJhbGciOiJFUzI1NiJ9.eyJ9".utf8)).isEmpty)
        #expect(search.kinds(in: [7] + key) == [.key])
        #expect(search.kinds(in: Array("x \(Data(key).base64EncodedString())".utf8)) == [.key])
        #expect(search.kinds(in: Array("/abc%3Ad%2Fe%2Bf1/".utf8)) == [.pushToken])
        #expect(
            search.kinds(in: Array("pin=483920.".utf8)) == [.pin] && search.kinds(in: Array("1483920".utf8)).isEmpty)
    }

    /// Every file under a folder, by its path.
    private func files(under folder: URL) throws -> [String: [UInt8]] {
        let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        var files: [String: [UInt8]] = [:]
        for name in names {
            let path = folder.appending(path: name).path()
            files[path] = FileManager.default.contents(atPath: path).map { Array($0) }
        }
        return files
    }
}
