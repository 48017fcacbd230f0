import SignetCommands

await SignetServerCommand.main()
