import BackendTransport
import BackendTransportLinux
package import CommandSupport
package import DeviceCommands
package import Foundation
import StrictJSON

/// `signet-push-sink` process on loopback, the push service between a server and its phones.
package final class LocalPushSink: Sendable {
    package let process: ChildProcess
    /// Base URL of the sink.
    package let address: String
    package let authorityFile: URL
    private let accountFile: String
    private let transport: any HTTPTransport
    package let client: PushSinkClient

    /// Starts the sink in a folder and waits until it listens, on a free port unless one is given; `started` hears of
    /// the process as soon as it runs.
    package init(
        program: URL, folder: URL, port: Int = 0, started: (ChildProcess) -> Void = { _ in }
    ) async throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let readyFile = ReadyFile(url: folder.appending(path: "ready.json"), process: "the push sink")
        readyFile.clear()
        process = try ChildProcess(
            program,
            [
                "--port", String(port), "--data-directory", folder.path(), "--ready-file", readyFile.url.path(),
            ], folder: folder, name: "push-sink")
        started(process)
        let ready = try await readyFile.announcement(of: process)
        address = try ready.string("url")
        accountFile = try ready.string("serviceAccount")
        authorityFile = URL(filePath: try ready.string("caFile"))
        let authority = try AuthorityFile.read(authorityFile.path())
        let trust = TransportTrust(additionalCertificates: try TransportTrust.certificates(inPEM: authority))
        client = try PushSinkClient(sink: address, authorities: String(decoding: authority, as: UTF8.self))
        transport = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
    }

    deinit { process.kill() }

    package func stop() async {
        process.kill()
        _ = await process.ending()
    }

    /// Configuration of a server's dispatcher for this sink, as a YAML mapping in braces.
    package var dispatcher: String {
        """
        { type: firebase-cloud-messaging, service-account-json: "\(accountFile)", \
        endpoint-base-url: "\(address)", trusted-certificates-file: "\(authorityFile.path())" }
        """
    }

    /// All requests that the push service has received, as JSON.
    package func sightings() async throws -> String {
        JSONWriter.text(try await exchange(.get, "/sink/messages"))
    }

    /// Sets the response to the next `count` messages, for example `unavailable`.
    package func behave(_ answer: String, count: Int = 1) async throws {
        _ = try await exchange(.post, "/sink/behaviour", #"{"answer":"\#(answer)","count":\#(count)}"#)
    }

    private func exchange(
        _ method: BackendRequest.Method, _ path: String, _ body: String = ""
    ) async throws -> JSONValue {
        let headers: HeaderFields = body.isEmpty ? [] : [.init("Content-Type", "application/json")]
        let response = try await transport.response(
            to: BackendRequest(
                method, address + path, headers: headers, body: Array(body.utf8), responseByteLimit: 1 << 20))
        guard (200...204).contains(response.status) else {
            throw CommandFailure.local("PushSinkRefused", "\(path): HTTP \(response.status)")
        }
        return response.body.isEmpty ? .object([:]) : try JSONParser.parse(response.body)
    }
}
