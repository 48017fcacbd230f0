import ArgumentParser

/// How a phone reaches its server.
struct NetworkOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Another server than the one given to init.", valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust besides those given to init.", valueName: "FILE"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "Write every HTTP exchange into this folder, everything but harmless values masked.", valueName: "DIR"))
    var record: String?
}
