import ArgumentParser

/// Where push messages for a phone arrive.
struct PushOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The push sink (signet-server push-sink) that brings this phone its push messages.", valueName: "URL"))
    var pushSink: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust for the push sink.", valueName: "FILE"))
    var pushCa: String?

    func validate() throws {
        guard pushCa == nil || pushSink != nil else { throw ValidationError("--push-ca goes with --push-sink.") }
    }

    /// A fresh address at the sink; nil when none was named.
    func subscribe() async throws -> PushSubscription? {
        guard let pushSink else { return nil }
        let authorities = try pushCa.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) }
        return try await PushSinkClient(sink: pushSink, authorities: authorities).subscribe(authorities: authorities)
    }
}
