import BackendTransport
import Foundation
import SignetCommands
import StrictJSON

/// A `signet-server push-sink` process: the push service between a server and its phones.
final class LocalPushSink: Sendable {
    /// A push message as the operating system hands it to an application.
    struct Message {
        /// Its number; the next question asks for what comes behind it.
        let number: Int
        /// What the user sees without opening the application; nil for nothing.
        let title: String?
        /// What the application gives to the SDK: names and values as JSON.
        let payload: String
    }

    /// The sink did not start, or did not answer as its documentation says.
    struct Failure: Error { let text: String }

    private static let patience: Duration = .seconds(60)

    private let process: ChildProcess
    private let origin: String
    private let transport: any HTTPTransport
    /// What a dispatcher of a server's configuration has to say to reach it.
    let dispatcherSettings: String

    /// Starts it in a folder and waits until it listens.
    init(program: URL, folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let readyFile = folder.appending(path: "ready.json")
        process = try ChildProcess(
            program,
            [
                "push-sink", "--port", "0", "--data-directory", folder.path(), "--ready-file", readyFile.path(),
            ], folder: folder, name: "push-sink")
        let ready = try await Self.announcement(in: readyFile, of: process)
        let authorityFile = try ready.string("caFile")
        origin = try ready.string("url")
        let authority = try Data(contentsOf: URL(filePath: authorityFile))
        let trust = TransportTrust(additionalCertificates: try TransportTrust.certificates(inPEM: Array(authority)))
        transport = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
        let accountFile = try ready.string("serviceAccount")
        dispatcherSettings =
            "service-account-json: \(accountFile), endpoint-base-url: \"\(origin)\", "
            + "trusted-certificates-file: \(authorityFile)"
    }

    deinit { process.kill() }

    private static func announcement(in file: URL, of process: ChildProcess) async throws -> JSONObject {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if let content = FileManager.default.contents(atPath: file.path()),
                let members = try? JSONParser.parse([UInt8](content)).asObject()
            {
                return members
            }
            guard process.isRunning else { throw Failure(text: process.complaints) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure(text: "not ready within \(patience)")
    }

    // MARK: - As a phone sees it

    /// Makes the registration token of a new phone.
    func registrationToken() async throws -> String {
        try await exchange(.post, "/sink/devices").string("registrationToken")
    }

    /// The next message for a phone behind the one with a number; waits for it.
    func message(for token: String, after number: Int = 0) async throws -> Message {
        let answer = try await exchange(.get, "/sink/devices/\(token)/messages?after=\(number)&wait=30")
        let messages = try answer.required("messages") { value throws(JSONTypeError) in
            try value.asArray(Self.message)
        }
        guard let first = messages.first else { throw Failure(text: "no message within 30 seconds") }
        return first
    }

    private static func message(_ value: JSONValue) throws(JSONTypeError) -> Message {
        let members = try value.asObject()
        let notification = try members.optional("notification") { value throws(JSONTypeError) in try value.asObject() }
        let data = try members.required("data") { value throws(JSONTypeError) in try value.asObject() }
        return Message(
            number: try members.integer("number"), title: try notification?.optionalString("title"),
            payload: JSONWriter.text(.object(data)))
    }

    // MARK: - As its owner sees it

    /// Everything that the push service has seen, as JSON.
    func sightings() async throws -> String { JSONWriter.text(.object(try await exchange(.get, "/sink/messages"))) }

    /// Says how the next message is answered.
    func behave(_ answer: String) async throws {
        _ = try await exchange(.post, "/sink/behaviour", #"{"answer":"\#(answer)","count":1}"#)
    }

    private func exchange(
        _ method: BackendRequest.Method, _ path: String, _ body: String = ""
    ) async throws -> JSONObject {
        let headers: HeaderFields = body.isEmpty ? [] : [.init("Content-Type", "application/json")]
        let response = try await transport.response(
            to: BackendRequest(method, origin + path, headers: headers, body: Array(body.utf8)))
        guard (200...204).contains(response.status) else { throw Failure(text: "\(path): \(response.status)") }
        return response.body.isEmpty ? [:] : try JSONParser.parse(response.body).asObject()
    }
}
