import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { contentService } from './service';

void runService(contentService, variables, process.env);
