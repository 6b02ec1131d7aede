"""Kill, cut and race what a deployment is made of; matches go on and nothing acknowledged is lost."""
