import BenchmarkSupport

/// Result of a load of web sites, with its figures.
struct WebSiteResult: Sendable {
    /// Name of the load: `code`, `ciba` or `page`.
    let name: String
    /// Word for its operations in the names of figures.
    let operations: String
    let result: LoadResult

    /// Bases of the ratios, by their names in the report.
    struct Bases {
        /// Name of bare verifications per second of CPU time.
        static let cpu = "verify-p256"
        /// Name of bare verifications of one thread per second of wall-clock time.
        static let wall = "verify-p256-wall"

        let bare: BareVerification
        /// Sign-ins of as many phones, in the same run.
        let signIns: LoadResult

        /// The bare verifications.
        var figures: [Figure] {
            [
                Figure(name: Self.cpu, value: bare.perCPUSecond, unit: "1/cpu-s"),
                Figure(name: Self.wall, value: bare.perWallSecond, unit: "1/s"),
            ]
        }

        /// CPU time of the server for the sign-ins.
        var signInFigure: Figure {
            Figure(
                name: "server-cpu-\(signIns.load.name)", value: signIns.serverSecondsPerThousand, unit: "cpu-s/1000")
        }
    }

    /// Sentence about what limits the rate.
    var limit: String { "web-\(name)-\(result.limit)" }

    /// Rate and costs; the ratio that counts is of CPU time.
    func figures(_ bases: Bases) -> [Figure] {
        let (prefix, suffix) = ("web-\(name)-", "-\(result.load.name)")
        return [
            Figure(
                name: prefix + operations + suffix, value: result.perSecond, unit: "1/s",
                ratio: result.perSecond / bases.bare.perWallSecond, base: Bases.wall),
            Figure(
                name: prefix + operations + "-per-server-cpu-second" + suffix, value: result.perServerCPUSecond,
                unit: "1/cpu-s", ratio: result.perServerCPUSecond / bases.bare.perCPUSecond, base: Bases.cpu),
            Figure(
                name: prefix + "server-cpu" + suffix, value: result.serverSecondsPerThousand, unit: "cpu-s/1000",
                ratio: result.serverSecondsPerThousand / bases.signIns.serverSecondsPerThousand,
                base: bases.signInFigure.name),
            Figure(
                name: prefix + "server-kernel-cpu" + suffix, value: result.kernelSecondsPerThousand,
                unit: "cpu-s/1000"),
            Figure(
                name: prefix + "generator-cpu" + suffix, value: result.generatorSecondsPerThousand,
                unit: "cpu-s/1000"),
        ]
    }

    /// Lines of the report about what was measured.
    static let explanation = [
        "A code is nine requests: a browser without a session asks for a code, loads page, picture and link, the phone",
        "redeems and answers, the browser sees it and goes on, the site exchanges the code for tokens. CIBA is a request of",
        "a site, a push to the push service, the phone's two requests and one poll that gets the tokens: the first poll needs",
        "no pause, so that the least interval between polls decides no figure. A view is page, picture and status. The server",
        "of these loads has an OpenID Provider, which the server of the sign-ins has not.", "",
    ]
}
