import SignetCommands

await SignetServerCommand.runProcess()
